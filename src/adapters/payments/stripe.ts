/**
 * Payments over Stripe. Every request that makes something has an idempotency key, so a request whose answer was lost is
 * repeated and makes nothing twice. Stripe forgets such a key after a day.
 */
import Stripe from 'stripe';

import { AppError } from '../../domain/errors.ts';
import type { Checkout, CheckoutProgress, CheckoutRequest, PaymentEvent, Payments } from './payments.ts';
import { refusing } from './refusals.ts';
import { createStripeBalance } from './stripe-balance.ts';
import { createStripeCards } from './stripe-cards.ts';
import { createStripeReturns } from './stripe-returns.ts';
import { createStripeSubscriptions } from './stripe-subscriptions.ts';
import type { SubscriptionSettings } from './stripe-subscriptions.ts';

/** The version of Stripe's interface that this adapter was written for; the package of this release speaks the same. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/** Credentials for Stripe, and its address. */
export interface StripeSettings extends SubscriptionSettings {
  readonly stripeSecretKey: string;
  /** Secrets of the endpoint for events, apart by commas; an event that one of them has signed is genuine. */
  readonly stripeWebhookSecrets: string;
  /** Another place than Stripe; empty for Stripe. */
  readonly stripeApiUrl: string;
  readonly stripeInvoices: boolean;
}

const TIMEOUT_MS = 10_000;
const RETRIES = 2;
/** An event whose signature is older than this is refused. */
const TOLERANCE_SECONDS = 300;

/** Opens payments; null without a key, and then everything else of the service works. */
export function openPayments(settings: StripeSettings): Payments | null {
  return settings.stripeSecretKey === '' ? null : createStripePayments(settings);
}

function createStripePayments(settings: StripeSettings): Payments {
  const { stripeSecretKey: key, stripeWebhookSecrets } = settings;
  const stripe = new Stripe(key, {
    apiVersion: STRIPE_API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...placeOf(settings.stripeApiUrl),
  });
  const isLive = /^[rs]k_live_/.test(key);
  const secrets = stripeWebhookSecrets.split(',').filter((secret) => secret !== '');
  return {
    ...createStripeReturns(stripe),
    ...createStripeBalance(stripe),
    ...createStripeCards(stripe, isLive),
    ...createStripeSubscriptions(stripe, settings),
    isLive,

    openCustomer: (accountId) =>
      refusing(async () => {
        const customer = await stripe.customers.create(
          { metadata: { account_id: accountId } },
          { idempotencyKey: `customer/${accountId}` },
        );
        return customer.id;
      }),

    openCheckout: (request) =>
      refusing(async () =>
        checkoutOf(
          await stripe.checkout.sessions.create(sessionOf(request, settings), {
            idempotencyKey: `topup/${request.topupId}`,
          }),
        ),
      ),

    readCheckout: (checkoutId) =>
      refusing(async () =>
        checkoutOf(
          await stripe.checkout.sessions.retrieve(checkoutId, {
            expand: ['invoice', 'payment_intent.latest_charge'],
          }),
        ),
      ),

    readEvent(body, signature) {
      for (const secret of secrets) {
        try {
          return eventOf(stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS));
        } catch {
          // Another secret may have signed the event.
        }
      }
      throw new AppError('VALIDATION_ERROR', 'The event has no valid signature.');
    },
  };
}

function placeOf(url: string): Stripe.StripeConfig {
  if (url === '') return {};
  const { hostname, port, protocol } = new URL(url);
  const isPlain = protocol === 'http:';
  return {
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? 'http' : 'https',
  };
}

function sessionOf(
  request: CheckoutRequest,
  { stripeTax, stripeInvoices }: StripeSettings,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { topup_id: request.topupId };
  return {
    mode: 'payment',
    customer: request.customerId,
    client_reference_id: request.topupId,
    metadata,
    payment_intent_data: { metadata },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'gbp',
          unit_amount: request.amountPence,
          product_data: { name: request.name },
          ...(stripeTax ? { tax_behavior: 'exclusive' } : {}),
        },
      },
    ],
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: stripeTax },
    // Stripe needs an address for the tax, and keeps it at the customer.
    ...(stripeTax ? { billing_address_collection: 'required', customer_update: { address: 'auto' } } : {}),
    invoice_creation: { enabled: stripeInvoices },
    success_url: request.successUrl,
    cancel_url: request.cancelUrl,
    expires_at: Math.floor(request.expiresAt.getTime() / 1000),
  };
}

function checkoutOf(session: Stripe.Checkout.Session): Checkout {
  const payment = objectOf(session.payment_intent);
  return {
    id: session.id,
    url: session.url,
    mode: session.mode,
    currency: session.currency,
    progress: progressOf(session, payment),
    subtotalPence: session.amount_subtotal,
    taxPence: session.total_details?.amount_tax ?? 0,
    isLive: session.livemode,
    reference: session.client_reference_id,
    topupId: session.metadata?.['topup_id'] ?? null,
    paymentId: idOf(session.payment_intent),
    invoiceUrl: objectOf(session.invoice)?.hosted_invoice_url ?? null,
    receiptUrl: objectOf(payment?.latest_charge ?? null)?.receipt_url ?? null,
  };
}

/** A completed checkout that is not paid waits for its bank, until the payment asks for another card or was cancelled. */
function progressOf(
  session: Stripe.Checkout.Session,
  payment: Stripe.PaymentIntent | null,
): CheckoutProgress {
  if (session.status === 'expired') return 'expired';
  if (session.status !== 'complete') return 'open';
  if (session.payment_status === 'paid') return 'paid';
  const isOver = payment?.status === 'requires_payment_method' || payment?.status === 'canceled';
  return isOver || session.payment_status === 'no_payment_required' ? 'failed' : 'processing';
}

function eventOf(event: Stripe.Event): PaymentEvent {
  const { object } = event.data;
  return {
    id: event.id,
    type: event.type,
    isLive: event.livemode,
    objectId: 'id' in object && typeof object.id === 'string' ? object.id : '',
    createdAt: new Date(event.created * 1000),
  };
}

function objectOf<T extends object>(value: string | T | null): T | null {
  return typeof value === 'string' ? null : value;
}

function idOf(value: string | { readonly id: string } | null): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}
