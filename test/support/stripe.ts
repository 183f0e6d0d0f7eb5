/**
 * Stripe with a memory, for top-ups: customers, checkout sessions, what goes back, and the keys of requests, over HTTP on a port of its
 * own. Each request goes through stripe-mock first, and one that is refused there fails the suite. Tests let customers pay, banks take their time and answers get lost, and sign events as Stripe does.
 */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import Stripe from 'stripe';

import { StandInCards } from './stripe-cards.ts';
import { openStripeMock } from './stripe-mock.ts';
import type { StripeMock } from './stripe-mock.ts';
import { StandInReturns } from './stripe-returns.ts';
import { StandInSubscriptions } from './stripe-subscriptions.ts';

export const WEBHOOK_SECRET = 'whsec_present';

type Fields = Record<string, unknown>;

/** A session as the stand-in keeps it. */
export interface StandInSession extends Fields {
  readonly id: string;
}

/** Differences of an event from a genuine one. */
export interface EventOptions {
  readonly id?: string;
  readonly secret?: string;
  readonly ageSeconds?: number;
  readonly isLive?: boolean;
}

/** A signed event. */
export interface SignedEvent {
  readonly id: string;
  readonly body: string;
  readonly signature: string;
}

/** The stand-in. */
export class StripeStandIn {
  readonly sessions = new Map<string, StandInSession>();
  readonly customers = new Map<string, Fields>();
  /** Refunds, disputes and the balance. */
  readonly returns = new StandInReturns();
  /** Stored cards and their charges. */
  readonly cards = new StandInCards(this.returns);
  /** Subscriptions and their invoices. */
  readonly billing = new StandInSubscriptions();
  /** Requests that made something, without repeats. */
  readonly made: string[] = [];
  /** Requests that Stripe would not have understood; they fail the suite. */
  readonly #refused: string[] = [];
  #mock: StripeMock | null = null;
  /** So many of the next answers are lost after their request was carried out. */
  answersToLose = 0;
  /** While true nothing is answered but 500. */
  isDown = false;
  #gate: { readonly reached: () => void; readonly opened: Promise<void> } | null = null;
  readonly #answers = new Map<
    string,
    { readonly sent: string; readonly status: number; readonly answer: Fields }
  >();
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<this> {
    this.#mock = await openStripeMock();
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#mock?.stop();
    if (this.#refused.length > 0) throw new Error(`stripe-mock refused: ${this.#refused.join('\n')}`);
  }

  /** Keeps the next answer, as it is now, on its way until it is released. */
  holdNextAnswer(): { readonly held: Promise<void>; readonly release: () => void } {
    const [reached, opened] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    this.#gate = { reached: () => reached.resolve(undefined), opened: opened.promise };
    return { held: reached.promise, release: () => opened.resolve(undefined) };
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** The only session of a top-up. */
  sessionOf(topupId: string): StandInSession {
    const found = [...this.sessions.values()].filter((one) => one['client_reference_id'] === topupId);
    const [session] = found;
    if (session === undefined || found.length > 1) throw new Error(`${String(found.length)} sessions`);
    return session;
  }

  /** The customer has paid, or has given an order to a bank that pays later. */
  complete(topupId: string, payment: 'paid' | 'unpaid' = 'paid', taxPence = 0): StandInSession {
    const subtotal = Number(this.sessionOf(topupId)['amount_subtotal']);
    if (payment === 'paid') this.returns.pay(topupId, subtotal + taxPence);
    const intent = {
      id: `pi_${topupId}`,
      object: 'payment_intent',
      status: payment === 'paid' ? 'succeeded' : 'processing',
      latest_charge: { id: `ch_${topupId}`, object: 'charge', receipt_url: 'https://pay.example/receipt' },
    };
    return this.change(topupId, {
      status: 'complete',
      payment_status: payment,
      payment_intent: intent,
      total_details: { amount_tax: taxPence },
      url: null,
    });
  }

  /** The bank refuses. */
  refuse(topupId: string): StandInSession {
    const intent = { id: `pi_${topupId}`, object: 'payment_intent', status: 'requires_payment_method' };
    return this.change(topupId, { payment_intent: intent });
  }

  change(topupId: string, fields: Fields): StandInSession {
    const session = { ...this.sessionOf(topupId), ...fields };
    this.sessions.set(session.id, session);
    return session;
  }

  event(type: string, objectId: string, options: EventOptions = {}): SignedEvent {
    const { id = `evt_${randomUUID()}`, secret = WEBHOOK_SECRET, ageSeconds = 0, isLive = false } = options;
    const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
    const body = JSON.stringify({
      ...{ id, object: 'event', type, livemode: isLive, created: timestamp },
      data: { object: { id: objectId, object: 'checkout.session', payment_status: 'unpaid' } },
    });
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
    return { id, body, signature };
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const paying = this.sessions.get(request.url?.replace('/pay/', '') ?? '');
    if (paying !== undefined) {
      // The page on which customers pay leads them back at once.
      response.writeHead(303, { location: String((paying['sent'] as Fields)['success_url']) }).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks).toString();
    const refusal = (await this.#mock?.refusalOf(request, sent)) ?? null;
    if (refusal !== null) this.#refused.push(refusal);
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const call = `${request.method ?? ''} ${pathname}`;
    const [status, answer] = this.isDown
      ? [500, { error: { type: 'api_error', message: 'down' } }]
      : this.#answer(call, searchParams, sent, request.headers['idempotency-key']);
    const gate = this.#gate;
    this.#gate = null;
    gate?.reached();
    await gate?.opened;
    if (this.answersToLose > 0) {
      this.answersToLose -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  }

  #answer(
    call: string,
    query: URLSearchParams,
    sent: string,
    key: string | string[] | undefined,
  ): [number, Fields] {
    if (call.startsWith('GET ')) return this.#read(call, query);
    if (typeof key !== 'string') return [400, invalid('No idempotency key')];
    const kept = this.#answers.get(key);
    if (kept !== undefined && kept.sent !== sent) return [400, { error: { type: 'idempotency_error' } }];
    if (kept !== undefined) return [kept.status, kept.answer];
    const form = new URLSearchParams(sent);
    const [status, answer] =
      this.cards.answer(call, form) ??
      this.returns.answer(call, query, form) ??
      this.billing.answer(call, form) ??
      ([200, call === 'POST /v1/customers' ? this.#customer() : this.#session(form)] as const);
    // Stripe keeps the refusal of a card under its key, as any answer of a request that was carried out.
    if (status !== 200 && status !== 402) return [status, answer];
    this.#answers.set(key, { sent, status, answer });
    this.made.push(key);
    return [status, answer];
  }

  #read(call: string, query: URLSearchParams): [number, Fields] {
    const [, id = ''] = /^GET \/v1\/checkout\/sessions\/(.+)$/.exec(call) ?? [];
    const found =
      id === ''
        ? (this.cards.answer(call, new URLSearchParams()) ??
          this.returns.answer(call, query, new URLSearchParams()) ??
          this.billing.answer(call, query))
        : null;
    if (found !== null) return found;
    const session = this.sessions.get(id);
    return session === undefined ? [404, invalid('No such session')] : [200, session];
  }

  #customer(): Fields {
    const customer = { id: `cus_${randomUUID()}`, object: 'customer' };
    this.customers.set(customer.id, customer);
    return customer;
  }

  #session(form: URLSearchParams): Fields {
    const id = `cs_test_${randomUUID()}`;
    const session = {
      ...{ id, object: 'checkout.session', livemode: false, url: `${this.url}/pay/${id}` },
      ...{ status: 'open', payment_status: 'unpaid', payment_intent: null, invoice: null },
      mode: form.get('mode'),
      currency: form.get('line_items[0][price_data][currency]'),
      amount_subtotal: Number(form.get('line_items[0][price_data][unit_amount]')),
      client_reference_id: form.get('client_reference_id'),
      metadata: { topup_id: form.get('metadata[topup_id]') },
      total_details: { amount_tax: 0 },
      sent: Object.fromEntries(form),
    };
    this.sessions.set(id, session);
    return session;
  }
}

function invalid(message: string): Fields {
  return { error: { type: 'invalid_request_error', message } };
}
