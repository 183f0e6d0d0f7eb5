/** Payments by stored cards over Stripe. */
import Stripe from 'stripe';

import type { CardCharge, CardPayment, PaymentCards } from './cards.ts';
import { refusing } from './refusals.ts';

/** Charges the cards that Stripe keeps. */
export function createStripeCards(stripe: Stripe, isLive: boolean): PaymentCards {
  return {
    readCard: (customerId) =>
      refusing(async () => {
        const customer = await stripe.customers.retrieve(customerId);
        if (customer.deleted === true) return null;
        const card = customer.invoice_settings.default_payment_method;
        return typeof card === 'string' ? card : (card?.id ?? null);
      }),

    chargeCard: (charge) =>
      refusing(async () => {
        try {
          return paymentOf(
            await stripe.paymentIntents.create(intentOf(charge), {
              idempotencyKey: `auto/${charge.accountId}/${String(charge.number)}`,
            }),
          );
        } catch (error) {
          if (error instanceof Stripe.errors.StripeCardError) return refusedOf(charge, error, isLive);
          throw error;
        }
      }),

    readCharge: (paymentId) =>
      refusing(async () =>
        paymentOf(await stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] })),
      ),
  };
}

function intentOf(charge: CardCharge): Stripe.PaymentIntentCreateParams {
  return {
    amount: charge.amountPence,
    currency: 'gbp',
    customer: charge.customerId,
    payment_method: charge.card,
    allowed_payment_method_types: ['card'],
    off_session: true,
    confirm: true,
    description: charge.name,
    metadata: { topup_id: charge.topupId },
    expand: ['latest_charge'],
  };
}

function paymentOf(payment: Stripe.PaymentIntent): CardPayment {
  const { status, latest_charge: charge, last_payment_error: error } = payment;
  const progress = status === 'succeeded' ? 'paid' : status === 'processing' ? 'processing' : 'failed';
  const needsOwner = status === 'requires_action' || error?.code === 'authentication_required';
  const topupId = payment.metadata['topup_id'] ?? null;
  return {
    id: null,
    url: null,
    progress,
    mode: 'payment',
    currency: payment.currency,
    subtotalPence: payment.amount,
    taxPence: 0,
    isLive: payment.livemode,
    reference: topupId,
    topupId,
    paymentId: payment.id,
    invoiceUrl: null,
    receiptUrl: typeof charge === 'object' ? (charge?.receipt_url ?? null) : null,
    refusal: progress !== 'failed' ? null : needsOwner ? 'AUTHENTICATION_REQUIRED' : 'CARD_DECLINED',
  };
}

function refusedOf(
  { topupId, amountPence }: CardCharge,
  error: InstanceType<typeof Stripe.errors.StripeCardError>,
  isLive: boolean,
): CardPayment {
  return {
    id: null,
    url: null,
    progress: 'failed',
    mode: 'payment',
    currency: 'gbp',
    subtotalPence: amountPence,
    taxPence: 0,
    isLive,
    reference: topupId,
    topupId,
    paymentId: error.payment_intent?.id ?? null,
    invoiceUrl: null,
    receiptUrl: null,
    refusal: error.code === 'authentication_required' ? 'AUTHENTICATION_REQUIRED' : 'CARD_DECLINED',
  };
}
