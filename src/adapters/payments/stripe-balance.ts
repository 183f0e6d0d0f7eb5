/** Our balance at Stripe. */
import type Stripe from 'stripe';

import type { BalanceMove, PaymentBalance } from './balance.ts';

const PAGE = 100;

/** Makes the part of the adapter that knows our balance. */
export function createStripeBalance(stripe: Stripe): PaymentBalance {
  return {
    async *listMoves(since) {
      const list = stripe.balanceTransactions.list({
        created: { gte: Math.floor(since.getTime() / 1000) },
        limit: PAGE,
        expand: ['data.source'],
      });
      for await (const transaction of list) {
        const move = moveOf(transaction);
        if (move !== null) yield move;
      }
    },
  };
}

/** A movement belongs to a payment when its source is a charge, or a refund or a dispute of a charge. */
function moveOf({
  id,
  type,
  amount,
  currency,
  created,
  source,
}: Stripe.BalanceTransaction): BalanceMove | null {
  if (source === null || typeof source === 'string') return null;
  if (source.object !== 'charge' && source.object !== 'refund' && source.object !== 'dispute') return null;
  const { payment_intent: payment } = source;
  const paymentId = typeof payment === 'string' ? payment : (payment?.id ?? source.id);
  return {
    id,
    kind: type,
    paymentId,
    amountPence: amount,
    currency,
    createdAt: new Date(created * 1000),
  };
}
