/** Refunds and disputes over Stripe. The payment that they belong to names the top-up in its metadata. */
import type Stripe from 'stripe';

import { refusing } from './refusals.ts';
import type { PaymentReturns, ProviderReturn } from './returns.ts';

/** Refunds that move no money, or whose money has come back. */
const ENDED = new Set(['failed', 'canceled']);
const EXPAND = ['payment_intent'];

/** Makes the part of the adapter that gives money back. */
export function createStripeReturns(stripe: Stripe): PaymentReturns {
  return {
    openRefund: ({ returnId, paymentId, grossPence }) =>
      refusing(async () =>
        refundOf(
          await stripe.refunds.create(
            {
              payment_intent: paymentId,
              amount: grossPence,
              metadata: { return_id: returnId },
              expand: EXPAND,
            },
            { idempotencyKey: `refund/${returnId}` },
          ),
        ),
      ),

    findRefund: ({ returnId, paymentId }) =>
      refusing(async () => {
        const list = stripe.refunds.list({
          payment_intent: paymentId,
          limit: 100,
          expand: ['data.payment_intent'],
        });
        for await (const refund of list)
          if (refund.metadata?.['return_id'] === returnId) return refundOf(refund);
        return null;
      }),

    readRefund: (refundId) =>
      refusing(async () => refundOf(await stripe.refunds.retrieve(refundId, { expand: EXPAND }))),

    readDispute: (disputeId) =>
      refusing(async () => disputeOf(await stripe.disputes.retrieve(disputeId, { expand: EXPAND }))),
  };
}

function refundOf(refund: Stripe.Refund): ProviderReturn {
  const status = refund.status ?? 'unknown';
  return {
    kind: 'refund',
    id: refund.id,
    status,
    currency: refund.currency,
    grossPence: refund.amount,
    takenPence: ENDED.has(status) ? 0 : refund.amount,
    ...paymentOf(refund.payment_intent),
    returnId: refund.metadata?.['return_id'] ?? null,
  };
}

/** Reads a dispute; the sum of its withdrawals and reinstatements is the amount gone, and an inquiry, `warning_…`, moves nothing. */
function disputeOf(dispute: Stripe.Dispute): ProviderReturn {
  const moves = dispute.balance_transactions;
  const movedPence = moves.reduce((sum, { amount }) => sum + amount, 0);
  const isInquiry = dispute.status.startsWith('warning_');
  return {
    kind: 'dispute',
    id: dispute.id,
    status: dispute.status,
    grossPence: dispute.amount,
    currency: moves[0]?.currency ?? dispute.currency,
    takenPence: isInquiry ? 0 : Math.max(0, -movedPence),
    ...paymentOf(dispute.payment_intent),
    returnId: null,
  };
}

function paymentOf(
  payment: string | Stripe.PaymentIntent | null,
): Pick<ProviderReturn, 'paymentId' | 'topupId'> {
  if (payment === null || typeof payment === 'string') return { paymentId: payment, topupId: null };
  return { paymentId: payment.id, topupId: payment.metadata['topup_id'] ?? null };
}
