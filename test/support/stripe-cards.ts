/** Cards at Stripe, for the stand-in: the default card of a customer, and charges while the owner is away. */
import type { StandInReturns } from './stripe-returns.ts';

type Fields = Record<string, unknown>;

/** Behaviour of a card at a charge. */
export type CardTemper = 'pays' | 'asks' | 'declines';

/** Default cards and payment intents. */
export class StandInCards {
  /** The tempers of default cards, by customer. */
  readonly defaults = new Map<string, CardTemper>();
  readonly intents = new Map<string, Fields>();
  readonly #returns: StandInReturns;

  constructor(returns: StandInReturns) {
    this.#returns = returns;
  }

  /** Answers a request about cards; null for any other. */
  answer(call: string, form: URLSearchParams): [number, Fields] | null {
    if (call === 'POST /v1/payment_intents') return this.#charge(form);
    const [, kind = '', id = ''] = /^GET \/v1\/(customers|payment_intents)\/(.+)$/.exec(call) ?? [];
    if (kind === 'customers') {
      const temper = this.defaults.get(id);
      const card = temper === undefined ? null : `pm_${temper}`;
      return [200, { id, object: 'customer', invoice_settings: { default_payment_method: card } }];
    }
    if (kind === '') return null;
    const found = this.intents.get(id);
    return found === undefined
      ? [404, { error: { type: 'invalid_request_error', message: 'No such payment_intent' } }]
      : [200, found];
  }

  #charge(form: URLSearchParams): [number, Fields] {
    const topupId = form.get('metadata[topup_id]') ?? '';
    const amount = Number(form.get('amount'));
    const id = `pi_${topupId}`;
    const temper = form.get('payment_method')?.slice('pm_'.length);
    const common = {
      ...{ id, object: 'payment_intent', amount, currency: form.get('currency'), livemode: false },
      ...{ metadata: { topup_id: topupId }, latest_charge: null, last_payment_error: null },
    };
    if (temper === 'pays') {
      this.#returns.pay(topupId, amount);
      const charge = { id: `ch_${topupId}`, object: 'charge', receipt_url: 'https://pay.example/receipt' };
      const paid = { ...common, status: 'succeeded', latest_charge: charge };
      this.intents.set(id, paid);
      return [200, paid];
    }
    const code = temper === 'asks' ? 'authentication_required' : 'card_declined';
    const error = { type: 'card_error', code, message: 'The card was not charged.' };
    const failed = { ...common, status: 'requires_payment_method', last_payment_error: error };
    this.intents.set(id, failed);
    return [402, { error: { ...error, payment_intent: failed } }];
  }
}
