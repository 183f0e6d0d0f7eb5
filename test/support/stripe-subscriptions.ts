/** Subscriptions at Stripe, for the stand-in: subscriptions, invoices, and the pages that customers are sent to. */
import { randomUUID } from 'node:crypto';

type Fields = Record<string, unknown>;

/** The period of an invoice, and whether the invoice was paid. */
export interface StandInPeriod {
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly status?: string;
  readonly price?: string;
  readonly proration?: boolean;
  readonly paymentId?: string;
}

/** Subscriptions and their invoices. */
export class StandInSubscriptions {
  readonly subscriptions = new Map<string, Fields>();
  readonly invoices = new Map<string, Fields>();
  /** Addresses to which customers were sent back from the portal. */
  readonly portals: string[] = [];

  /** A customer has subscribed, or the state of a subscription has changed. */
  set(customer: string, status: string, id = `sub_${randomUUID()}`): string {
    const ended = status === 'canceled' ? Math.floor(Date.now() / 1000) : null;
    this.subscriptions.set(id, { id, object: 'subscription', customer, status, ended_at: ended });
    return id;
  }

  /** An invoice for a period of a subscription, or for anything else. */
  invoice(subscription: string | null, period: StandInPeriod, id = `in_${randomUUID()}`): string {
    const { startsAt, endsAt, paymentId, status = 'paid', price = 'price_pro', proration = false } = period;
    const seconds = { start: startsAt.getTime() / 1000, end: endsAt.getTime() / 1000 };
    const line = {
      ...{ id: `il_${randomUUID()}`, object: 'line_item', period: seconds, amount: 2000 },
      parent: { type: 'subscription_item_details', subscription_item_details: { proration } },
      pricing: { type: 'price_details', price_details: { price, product: 'prod_pro' } },
    };
    this.invoices.set(id, {
      ...{ id, object: 'invoice', status, amount_paid: status === 'paid' ? 2_400 : 0 },
      ...{ lines: { object: 'list', has_more: false, data: [line] } },
      payments: {
        ...{ object: 'list', has_more: false },
        data: paymentId === undefined ? [] : [{ payment: { payment_intent: paymentId } }],
      },
      parent:
        subscription === null
          ? null
          : { type: 'subscription_details', subscription_details: { subscription } },
    });
    return id;
  }

  /** Answers a request about subscriptions; null for any other. */
  answer(call: string, form: URLSearchParams): [number, Fields] | null {
    if (call === 'POST /v1/billing_portal/sessions') {
      this.portals.push(form.get('return_url') ?? '');
      const id = `bps_${randomUUID()}`;
      return [200, { id, object: 'billing_portal.session', url: `https://portal.example/${id}` }];
    }
    if (call === 'GET /v1/subscriptions') {
      const data = [...this.subscriptions.values()].filter(({ status }) => status !== 'canceled');
      return [200, { object: 'list', has_more: false, data }];
    }
    if (call === 'GET /v1/invoice_payments') {
      const paymentId = form.get('payment[payment_intent]');
      const data = [...this.invoices.values()]
        .filter((invoice) => JSON.stringify(invoice['payments']).includes(JSON.stringify(paymentId)))
        .map(({ id }) => ({ object: 'invoice_payment', invoice: id }));
      return [200, { object: 'list', has_more: false, data }];
    }
    const [, kind = '', id = ''] = /^GET \/v1\/(subscriptions|invoices)\/(.+)$/.exec(call) ?? [];
    if (kind === '') return null;
    const found = (kind === 'invoices' ? this.invoices : this.subscriptions).get(id);
    return found === undefined
      ? [404, { error: { type: 'invalid_request_error', message: 'No such object' } }]
      : [200, found];
  }
}
