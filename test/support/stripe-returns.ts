/** Money that goes back at Stripe, for the stand-in: refunds, disputes, and each movement of the balance. */
import { randomUUID } from 'node:crypto';

type Fields = Record<string, unknown>;

/** A refund or a dispute as the stand-in keeps it. */
export interface StandInReturn extends Fields {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
}

/** A payment of a top-up. */
interface Payment extends Fields {
  readonly id: string;
  readonly grossPence: number;
}

/** Refunds, disputes and the balance. */
export class StandInReturns {
  readonly payments = new Map<string, Payment>();
  readonly refunds = new Map<string, StandInReturn>();
  readonly disputes = new Map<string, StandInReturn>();
  /** Movements of the balance, newest last. */
  readonly moves: Fields[] = [];
  /** How many movements a page has at most. */
  pageSize = 100;
  /** The state that a new refund has. */
  refundStatus = 'succeeded';

  /** A payment has arrived. */
  pay(topupId: string, grossPence: number): void {
    const id = `pi_${topupId}`;
    if (this.payments.has(id)) return;
    this.payments.set(id, {
      ...{ id, object: 'payment_intent', status: 'succeeded', grossPence, amount: grossPence },
      metadata: { topup_id: topupId },
    });
    this.move('charge', grossPence, { id: `ch_${topupId}`, object: 'charge', payment_intent: id });
  }

  /** A refund, as Stripe's dashboard makes it, or as was asked for. */
  refund(paymentId: string, amount: number, metadata: Fields = {}): StandInReturn {
    const id = `re_${randomUUID()}`;
    const refund = {
      ...{ id, object: 'refund', amount, currency: 'gbp', payment_intent: paymentId, metadata },
      status: this.refundStatus,
    };
    this.refunds.set(id, refund);
    this.move('refund', -amount, refund);
    return refund;
  }

  /** Computes the rest of a payment that can be refunded. */
  left(paymentId: string): number {
    const gone = [...this.refunds.values()]
      .filter((one) => one['payment_intent'] === paymentId && one.status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0);
    return (this.payments.get(paymentId)?.grossPence ?? 0) - gone;
  }

  /** The bank of the customer does not take the money of a refund. */
  failRefund(id: string): void {
    const refund = this.#of(this.refunds, id);
    if (refund.status === 'failed') return;
    this.refunds.set(id, { ...refund, status: 'failed' });
    this.move('refund_failure', refund.amount, refund);
  }

  /** A bank asks, or takes the money of a payment at once. */
  dispute(paymentId: string, amount: number, status = 'needs_response'): StandInReturn {
    const id = `du_${randomUUID()}`;
    const dispute = {
      ...{ id, object: 'dispute', amount, currency: 'gbp', payment_intent: paymentId, status },
      balance_transactions: [],
    };
    this.disputes.set(id, dispute);
    return status.startsWith('warning_') ? dispute : this.moveDispute(id, -amount);
  }

  /** Money of a dispute goes, or comes back. */
  moveDispute(id: string, pence: number, status?: string): StandInReturn {
    const dispute = this.#of(this.disputes, id);
    const move = this.move('adjustment', pence, dispute);
    const moved = {
      ...dispute,
      ...(status === undefined ? {} : { status }),
      balance_transactions: [...(dispute['balance_transactions'] as Fields[]), move],
    };
    this.disputes.set(id, moved);
    return moved;
  }

  /** A dispute is closed. */
  closeDispute(id: string, status: string): void {
    this.disputes.set(id, { ...this.#of(this.disputes, id), status });
  }

  /** Answers a request about refunds or disputes; null for any other. */
  answer(call: string, query: URLSearchParams, form: URLSearchParams): [number, Fields] | null {
    const [, kind = '', id = ''] = /^GET \/v1\/(refunds|disputes)\/(.+)$/.exec(call) ?? [];
    if (kind !== '') {
      const found = (kind === 'refunds' ? this.refunds : this.disputes).get(id);
      return found === undefined
        ? [404, { error: { type: 'invalid_request_error', message: 'No such object' } }]
        : [200, this.#shown(found)];
    }
    if (call === 'GET /v1/balance_transactions') return [200, this.#page(query)];
    if (call === 'GET /v1/refunds') {
      const wanted = query.get('payment_intent');
      const data = [...this.refunds.values()].filter((one) => one['payment_intent'] === wanted);
      return [200, listOf(data.map((one) => this.#shown(one)))];
    }
    if (call !== 'POST /v1/refunds') return null;
    const paymentId = form.get('payment_intent') ?? '';
    const amount = Number(form.get('amount'));
    if (amount > this.left(paymentId))
      return [
        400,
        { error: { type: 'invalid_request_error', message: 'More than the rest of the payment' } },
      ];
    return [200, this.#shown(this.refund(paymentId, amount, { return_id: form.get('metadata[return_id]') }))];
  }

  move(type: string, amount: number, source: Fields): Fields {
    const move = {
      ...{ id: `txn_${randomUUID()}`, object: 'balance_transaction', type, amount, currency: 'gbp' },
      ...{ fee: 0, net: amount, created: Math.floor(Date.now() / 1000), source },
    };
    this.moves.push(move);
    return move;
  }

  /** A page of the movements, newest first, as Stripe gives them. */
  #page(query: URLSearchParams): Fields {
    const since = Number(query.get('created[gte]'));
    const found = this.moves.filter(({ created }) => Number(created) >= since).reverse();
    const after = found.findIndex(({ id }) => id === query.get('starting_after')) + 1;
    const data = found.slice(after, after + this.pageSize);
    return { ...listOf(data), has_more: found.length > after + data.length };
  }

  #shown(one: StandInReturn): Fields {
    const id = String(one['payment_intent']);
    return {
      ...one,
      payment_intent: this.payments.get(id) ?? { id, object: 'payment_intent', metadata: {} },
    };
  }

  #of(kept: ReadonlyMap<string, StandInReturn>, id: string): StandInReturn {
    const found = kept.get(id);
    if (found === undefined) throw new Error(`no ${id}`);
    return found;
  }
}

/** A page of a list of Stripe with everything on it. */
export function listOf(data: readonly Fields[]): Fields {
  return { object: 'list', has_more: false, data };
}
