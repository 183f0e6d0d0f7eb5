/** Subscriptions over Stripe. */
import type Stripe from 'stripe';

import { refusing } from './refusals.ts';
import type {
  PaymentSubscriptions,
  ProviderInvoice,
  ProviderSubscription,
  SubscriptionRequest,
} from './subscriptions.ts';

/** The price of the plan pro at Stripe, and whether Stripe adds tax. */
export interface SubscriptionSettings {
  readonly stripeProPrice: string;
  readonly stripeTax: boolean;
}

const PAGE = 100;

/** Makes the part of the adapter that knows subscriptions. */
export function createStripeSubscriptions(
  stripe: Stripe,
  settings: SubscriptionSettings,
): PaymentSubscriptions {
  const { stripeProPrice: price } = settings;
  return {
    hasPlan: price !== '',

    openSubscription: (request) =>
      refusing(async () =>
        pageOf(
          await stripe.checkout.sessions.create(
            sessionOf(request, settings),
            request.key === null ? {} : { idempotencyKey: `subscribe/${request.key}` },
          ),
        ),
      ),

    openPortal: (customer, returnUrl) =>
      refusing(async () =>
        pageOf(await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })),
      ),

    readSubscription: (id) => refusing(async () => subscriptionOf(await stripe.subscriptions.retrieve(id))),

    async *listSubscriptions() {
      for await (const found of stripe.subscriptions.list({ limit: PAGE })) yield subscriptionOf(found);
    },

    readInvoice: (id) =>
      refusing(async () => invoiceOf(await stripe.invoices.retrieve(id, { expand: ['payments'] }), price)),

    findInvoice: (paymentId) =>
      refusing(async () => {
        const payment = { type: 'payment_intent', payment_intent: paymentId } as const;
        const { data } = await stripe.invoicePayments.list({ payment, limit: 1 });
        const invoice = data[0]?.invoice ?? null;
        return typeof invoice === 'string' ? invoice : (invoice?.id ?? null);
      }),
  };
}

function sessionOf(
  { accountId, customerId, successUrl, cancelUrl }: SubscriptionRequest,
  { stripeProPrice: price, stripeTax }: SubscriptionSettings,
): Stripe.Checkout.SessionCreateParams {
  const metadata = { account_id: accountId };
  return {
    mode: 'subscription',
    customer: customerId,
    client_reference_id: accountId,
    metadata,
    subscription_data: { metadata },
    line_items: [{ price, quantity: 1 }],
    automatic_tax: { enabled: stripeTax },
    // Stripe needs an address for the tax, and keeps it at the customer.
    ...(stripeTax ? { billing_address_collection: 'required', customer_update: { address: 'auto' } } : {}),
    success_url: successUrl,
    cancel_url: cancelUrl,
  };
}

function pageOf({ url }: { readonly url: string | null }): string {
  if (url === null) throw new Error('Stripe opened a page without an address');
  return url;
}

function subscriptionOf({
  id,
  customer,
  status,
  ended_at: endedAt,
}: Stripe.Subscription): ProviderSubscription {
  return {
    id,
    customerId: typeof customer === 'string' ? customer : customer.id,
    status,
    endedAt: endedAt === null ? null : new Date(endedAt * 1000),
  };
}

function invoiceOf(invoice: Stripe.Invoice, price: string): ProviderInvoice {
  const subscription = invoice.parent?.subscription_details?.subscription ?? null;
  const line = invoice.lines.data.find((one) => isOfPlan(one, price));
  return {
    id: invoice.id,
    subscriptionId: typeof subscription === 'string' ? subscription : (subscription?.id ?? null),
    isPaid: invoice.status === 'paid',
    paidPence: invoice.amount_paid,
    paymentIds: paymentsOf(invoice),
    period:
      line === undefined
        ? null
        : { startsAt: new Date(line.period.start * 1000), endsAt: new Date(line.period.end * 1000) },
  };
}

function paymentsOf({ payments }: Stripe.Invoice): readonly string[] {
  return (payments?.data ?? []).flatMap(({ payment }) => {
    const paid = payment.payment_intent ?? payment.charge;
    if (paid === undefined) return [];
    return [typeof paid === 'string' ? paid : paid.id];
  });
}

/** A line for a part of a period, as a change of the subscription makes one, is no period of its own. */
function isOfPlan({ parent, pricing }: Stripe.InvoiceLineItem, price: string): boolean {
  const paidFor = pricing?.price_details?.price;
  const id = typeof paidFor === 'string' ? paidFor : paidFor?.id;
  const item = parent?.subscription_item_details ?? null;
  return id === price && item !== null && !item.proration;
}
