/**
 * Top-ups on a real database, against a stand-in of the provider: credits land once, for exactly what was to be paid, whatever is
 * lost, repeated, late or forged.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import Stripe from 'stripe';

import { openPayments, STRIPE_API_VERSION } from '../../src/adapters/payments/stripe.ts';
import type { KeyActor } from '../../src/domain/access.ts';
import { createCredits } from '../../src/services/credits.ts';
import { adjustCredits } from '../../src/services/ledger/index.ts';
import {
  followTopup,
  handleEvent,
  listTopups,
  readTopup,
  receiveEvent,
  startTopup,
  sweepPaymentEvents,
} from '../../src/services/payments/index.ts';
import type { TopupDependencies } from '../../src/services/payments/index.ts';
import { newOwner } from '../support/actors.ts';
import { eventsOf } from '../support/events-of.ts';
import { suiteLedger } from '../support/ledger.ts';
import { codeOf } from '../support/refusals.ts';
import { StripeStandIn, WEBHOOK_SECRET } from '../support/stripe.ts';

const PUBLIC_URL = 'https://dockyard.example';
const COMPLETED = 'checkout.session.completed';

describe('top-ups', function () {
  this.timeout(240_000);
  const ledger = suiteLedger();
  const alarms: object[] = [];
  const followed: string[] = [];
  let stripe: StripeStandIn;
  let deps: TopupDependencies;
  /** The stand-in, with or without taxes and invoices. */
  const paymentsWith = (stripeTax: boolean) =>
    openPayments({
      ...{ stripeSecretKey: 'sk_test_1', stripeWebhookSecrets: `whsec_old,${WEBHOOK_SECRET}` },
      ...{ stripeApiUrl: stripe.url, stripeProPrice: 'price_pro', stripeTax, stripeInvoices: stripeTax },
    });
  before(async () => {
    stripe = await new StripeStandIn().start();
    deps = {
      db: ledger.db,
      publicUrl: PUBLIC_URL,
      workflows: { follow: async (id) => void followed.push(id) },
      payments: paymentsWith(false),
      alarm: (_text, facts) => void alarms.push(facts),
    };
  });
  after(() => stripe.stop());
  beforeEach(() => alarms.splice(0));

  const newActor = (): Promise<KeyActor> => newOwner(ledger.db);
  const start = (actor: KeyActor, body: object = {}, idempotencyKey: string | null = null) =>
    startTopup(deps, actor, {
      ...{ body: { tierId: 'topup-50', ...body }, fingerprint: JSON.stringify(body), idempotencyKey },
    });
  const walletOf = async (actor: KeyActor): Promise<readonly number[]> => {
    const { wallet_cents, debt_cents } = await createCredits(ledger.db).balance(actor);
    return [wallet_cents, debt_cents];
  };
  const kindsOf = async (actor: KeyActor): Promise<unknown> =>
    (await createCredits(ledger.db).transactions(actor, { limit: 50 })).transactions.map(
      ({ type, amount_cents, tier_id }) => [type, amount_cents, tier_id],
    );
  const tell = async (type: string, sessionId: string, id?: string): Promise<void> => {
    const { body, signature } = stripe.event(type, sessionId, id === undefined ? {} : { id });
    await handleEvent(deps, await receiveEvent(deps, Buffer.from(body), signature));
  };

  it('speak the version of the interface that the package speaks', () => {
    expect(Stripe.API_VERSION).to.equal(STRIPE_API_VERSION);
  });

  it('open one checkout with the frozen price, and lead back to our own pages', async () => {
    const actor = await newActor();
    const { url, tierId, topupId } = await start(actor);
    const session = stripe.sessionOf(topupId);
    expect([url, tierId]).to.deep.equal([`${stripe.url}/pay/${session.id}`, 'topup-50']);
    expect(followed).to.include(topupId);
    expect(session['sent']).to.include({
      mode: 'payment',
      client_reference_id: topupId,
      'metadata[topup_id]': topupId,
      'payment_intent_data[metadata][topup_id]': topupId,
      'line_items[0][price_data][unit_amount]': '5000',
      'adaptive_pricing[enabled]': 'false',
      'automatic_tax[enabled]': 'false',
      success_url: `${PUBLIC_URL}/dashboard/credits?topup=success`,
    });
    expect(await readTopup(ledger.db, actor, topupId)).to.include({ state: 'OPEN', url, amountCents: 5000 });
    const { topupId: second } = await start(actor);
    const customers = new Set(
      [topupId, second].map((id) => (stripe.sessionOf(id)['sent'] as { customer: string }).customer),
    );
    expect(customers.size).to.equal(1);
    const page = await listTopups(ledger.db, actor, { limit: 1 });
    expect(page.topups.map(({ id }) => id)).to.deep.equal([second]);
    const next = await listTopups(ledger.db, actor, { limit: 1, cursor: page.nextCursor ?? '' });
    expect([next.topups.map(({ id }) => id), next.nextCursor]).to.deep.equal([[topupId], null]);
  });

  it('are refused for unknown tiers, pages of others, changed repeats, and to other accounts', async () => {
    const actor = await newActor();
    expect(await codeOf(start(actor, { tierId: 'topup-11' }))).to.equal('UNKNOWN_TIER');
    for (const address of [
      'https://evil.example/',
      'https://dockyard.example.evil/',
      'javascript:alert(1)',
      '//evil',
    ])
      for (const field of ['successUrl', 'cancelUrl'])
        expect(await codeOf(start(actor, { [field]: address })), address).to.equal('VALIDATION_ERROR');
    const { topupId } = await start(actor, {}, 'a-key-of-mine');
    expect((await start(actor, {}, 'a-key-of-mine')).topupId).to.equal(topupId);
    expect(await codeOf(start(actor, { tierId: 'topup-10' }, 'a-key-of-mine'))).to.equal(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect(await codeOf(readTopup(ledger.db, await newActor(), topupId))).to.equal('NOT_FOUND');
    expect(
      await codeOf(
        startTopup({ ...deps, payments: null }, actor, {
          body: { tierId: 'topup-10' },
          fingerprint: '',
          idempotencyKey: null,
        }),
      ),
    ).to.equal('PAYMENTS_NOT_CONFIGURED');
  });

  it('post the credits and the bonus once, however often events and questions repeat, in any order', async () => {
    const actor = await newActor();
    const { topupId } = await start(actor);
    const { id } = stripe.sessionOf(topupId);
    await tell('checkout.session.expired', id);
    expect(await walletOf(actor)).to.deep.equal([0, 0]);
    stripe.complete(topupId);
    const types = [
      COMPLETED,
      'checkout.session.async_payment_succeeded',
      'checkout.session.async_payment_failed',
      'checkout.session.expired',
    ];
    const twice = `evt_${randomUUID()}`;
    await Promise.all([
      ...types.flatMap((type) => [tell(type, id), tell(type, id), tell(type, id)]),
      ...[1, 2, 3, 4, 5].map(() => tell(COMPLETED, id, twice)),
      ...[1, 2].map(() => followTopup(deps, topupId)),
    ]);
    expect(await walletOf(actor)).to.deep.equal([5250, 0]);
    expect(await kindsOf(actor)).to.deep.equal([
      ['topup_bonus', 250, 'topup-50'],
      ['topup', 5000, 'topup-50'],
    ]);
    expect(await readTopup(ledger.db, actor, topupId)).to.include({
      ...{ state: 'PAID', url: null, receiptUrl: 'https://pay.example/receipt' },
    });
    expect(await followTopup(deps, topupId)).to.deep.equal({ state: 'PAID', isOver: true });
    const [stored] = await ledger.db.query<{ n: number }[]>(
      'select count(*)::int as n from payment_events where id = $1 and handled_at is not null',
      [twice],
    );
    expect(stored?.n).to.equal(1);
    expect(await eventsOf(ledger.db, actor.accountId, 'topup.')).to.deep.equal([
      { type: 'topup.paid', subject: topupId, payload: {} },
    ]);
  });

  it('pay a debt first', async () => {
    const actor = await newActor();
    const { accountId } = actor;
    await adjustCredits(ledger.db, {
      ...{ accountId, amountPence: -700, key: accountId, description: 'A correction', mayOwe: true },
    });
    const { topupId } = await start(actor, { tierId: 'topup-10' });
    stripe.complete(topupId);
    await followTopup(deps, topupId);
    expect(await walletOf(actor)).to.deep.equal([300, 0]);
  });

  it('wait for a bank, and end with what the bank decides', async () => {
    const actor = await newActor();
    const [good, bad] = [await start(actor), await start(actor)];
    for (const { topupId } of [good, bad]) {
      stripe.complete(topupId, 'unpaid');
      expect(await followTopup(deps, topupId)).to.deep.equal({ state: 'PROCESSING', isOver: false });
    }
    stripe.complete(good.topupId);
    stripe.refuse(bad.topupId);
    expect(await followTopup(deps, good.topupId)).to.deep.equal({ state: 'PAID', isOver: true });
    expect(await followTopup(deps, bad.topupId)).to.deep.equal({ state: 'FAILED', isOver: true });
    expect(await walletOf(actor)).to.deep.equal([5250, 0]);
    const late = await start(actor);
    stripe.change(late.topupId, { status: 'expired', url: null });
    expect(await followTopup(deps, late.topupId)).to.deep.equal({ state: 'EXPIRED', isOver: true });
    const told = await eventsOf(ledger.db, actor.accountId, 'topup.');
    expect(told.map(({ type, subject }) => [type, subject])).to.deep.equal([
      ['topup.paid', good.topupId],
      ['topup.failed', bad.topupId],
      ['topup.expired', late.topupId],
    ]);
  });

  it('have one checkout and one credit when the start dies between the answer of the provider and the row', async () => {
    const actor = await newActor();
    const key = `key-${randomUUID()}`;
    const { topupId: first } = await start(actor);
    stripe.answersToLose = 3;
    expect(await codeOf(start(actor, {}, key))).to.equal('SERVICE_UNAVAILABLE');
    expect(stripe.answersToLose).to.equal(0);
    const { topups } = await listTopups(ledger.db, actor, { limit: 2 });
    const lost = topups.find(({ id }) => id !== first);
    expect(lost?.state).to.equal('CREATED');
    const id = lost?.id ?? '';
    // The customer pays at the page that nobody here knows; the event comes before the row knows its checkout.
    const session = stripe.complete(id);
    await Promise.all([
      tell(COMPLETED, session.id),
      followTopup(deps, id),
      start(actor, {}, key).catch(() => null),
    ]);
    await followTopup(deps, id);
    expect(stripe.sessionOf(id).id).to.equal(session.id);
    expect(await walletOf(actor)).to.deep.equal([5250, 0]);
    expect((await readTopup(ledger.db, actor, id)).state).to.equal('PAID');
  });

  it('end without a checkout before the provider forgets that it may have opened one', async () => {
    const actor = await newActor();
    const lost = async (age: string): Promise<string> => {
      stripe.answersToLose = 3;
      expect(await codeOf(start(actor, {}, `key-${randomUUID()}`))).to.equal('SERVICE_UNAVAILABLE');
      const { topups } = await listTopups(ledger.db, actor, { limit: 1 });
      const id = topups[0]?.id ?? '';
      await ledger.db.query(`update topups set created_at = now() - $2::interval where id = $1`, [id, age]);
      return id;
    };
    const young = await lost('22 hours 59 minutes');
    expect(await followTopup(deps, young)).to.deep.equal({ state: 'OPEN', isOver: false });
    const old = await lost('23 hours 1 minute');
    expect(await followTopup(deps, old)).to.deep.equal({ state: 'EXPIRED', isOver: true });
    expect(await readTopup(ledger.db, actor, old)).to.include({ state: 'EXPIRED' });
  });

  it('have their tax on top and an invoice where the settings say so', async () => {
    const actor = await newActor();
    const { topupId } = await startTopup({ ...deps, payments: paymentsWith(true) }, actor, {
      ...{ body: { tierId: 'topup-50' }, fingerprint: '', idempotencyKey: null },
    });
    const sent = stripe.sessionOf(topupId)['sent'];
    expect(sent).to.include({
      'automatic_tax[enabled]': 'true',
      'line_items[0][price_data][tax_behavior]': 'exclusive',
      'line_items[0][price_data][unit_amount]': '5000',
      'invoice_creation[enabled]': 'true',
    });
    const minutes = (Number((sent as { expires_at: string }).expires_at) * 1000 - Date.now()) / 60_000;
    expect(minutes).to.be.within(59, 60.1);
  });

  it('are parked with an alarm, and post nothing, when a payment differs in anything', async () => {
    const actor = await newActor();
    const differences: Record<string, object> = {
      mode: { mode: 'subscription' },
      reference: { client_reference_id: randomUUID() },
      metadata: { metadata: { topup_id: randomUUID() } },
      livemode: { livemode: true },
      currency: { currency: 'jpy' },
      amount: { amount_subtotal: 4999 },
    };
    for (const [reason, difference] of Object.entries(differences)) {
      const { topupId } = await start(actor);
      stripe.complete(topupId);
      stripe.change(topupId, { ...difference });
      expect((await followTopup(deps, topupId)).isOver, reason).to.equal(true);
      expect(alarms.at(-1)).to.deep.include({ topupId, reason });
    }
    expect(await walletOf(actor)).to.deep.equal([0, 0]);
  });

  it('leave events that a process did not handle to the sweep, and events of others to a person', async () => {
    const actor = await newActor();
    const { topupId } = await start(actor);
    const { id } = stripe.complete(topupId);
    const events = [
      stripe.event(COMPLETED, id),
      stripe.event(COMPLETED, 'cs_test_unknown'),
      stripe.event(COMPLETED, id, { isLive: true }),
      stripe.event('customer.created', 'cus_1'),
    ];
    for (const { body, signature } of events) await receiveEvent(deps, Buffer.from(body), signature);
    await sweepPaymentEvents(deps);
    expect(await walletOf(actor)).to.deep.equal([0, 0]);
    stripe.isDown = true;
    expect(await sweepPaymentEvents(deps, 0).catch((error: unknown) => error)).to.be.instanceOf(Error);
    stripe.isDown = false;
    await sweepPaymentEvents(deps, 0);
    expect(await walletOf(actor)).to.deep.equal([5250, 0]);
    const rows = await ledger.db.query<{ id: string; parked: string | null }[]>(
      'select id, parked from payment_events where id = any($1) and handled_at is not null',
      [events.map((event) => event.id)],
    );
    const parked = new Map(rows.map((row) => [row.id, row.parked]));
    expect(events.map((event) => parked.get(event.id))).to.deep.equal([
      null,
      'unknown object',
      'livemode',
      // Nothing handles events of this type, so the event stays open.
      undefined,
    ]);
  });

  it('take no event that is unsigned, old, forged or altered', async () => {
    const genuine = stripe.event(COMPLETED, 'cs_test_1');
    const old = stripe.event(COMPLETED, 'cs_test_1', { ageSeconds: 400 });
    const forged = stripe.event(COMPLETED, 'cs_test_1', { secret: 'whsec_other' });
    const bad = [
      { ...genuine, signature: '' },
      { ...genuine, body: genuine.body.replace('cs_test_1', 'cs_test_2') },
      ...[old, forged],
    ];
    for (const { body, signature } of bad)
      expect(await codeOf(receiveEvent(deps, Buffer.from(body), signature))).to.equal('VALIDATION_ERROR');
    const rows = await ledger.db.query<unknown[]>('select id from payment_events where id = any($1)', [
      bad.map(({ id }) => id),
    ]);
    expect(rows).to.deep.equal([]);
    const rotated = stripe.event(COMPLETED, 'cs_test_1', { secret: 'whsec_old' });
    expect(await receiveEvent(deps, Buffer.from(rotated.body), rotated.signature)).to.equal(rotated.id);
  });
});
