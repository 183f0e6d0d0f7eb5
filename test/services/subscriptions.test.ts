/** Subscriptions to the plan pro on a real database, against a stand-in of the provider, whatever events come and in what order. */
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { AllowancePeriodEntity } from '../../entities/ledger.ts';
import { PaymentCustomerEntity, PaymentEventEntity } from '../../entities/payments.ts';
import { openPayments } from '../../src/adapters/payments/stripe.ts';
import type { SessionActor } from '../../src/domain/access.ts';
import { listAudit, operator } from '../../src/services/audit/index.ts';
import { openPortal, subscribe } from '../../src/services/payments/index.ts';
import { grantDueAllowances, setPlanAsOperator } from '../../src/services/plans/index.ts';
import { requirePayments } from '../../src/services/payments/topup-rows.ts';
import { compareBalance, compareSubscriptions } from '../../src/services/reconciliation/index.ts';
import { balancesOf, endPeriod, openCustomer } from '../support/ledger.ts';
import { SuitePayments } from '../support/payments.ts';
import { codeOf } from '../support/refusals.ts';

const DAY_MS = 86_400_000;

describe('subscriptions', function () {
  this.timeout(120_000);
  const suite = new SuitePayments();
  /** Whole seconds, as Stripe has them. */
  const now = Math.floor(Date.now() / 1000) * 1000;
  const month = (from: number) => ({
    startsAt: new Date(now + from * DAY_MS),
    endsAt: new Date(now + (from + 30) * DAY_MS),
  });

  const newPerson = async (): Promise<SessionActor> => {
    const { accountId, userId } = await openCustomer(suite.db);
    const session = { kind: 'session', sessionId: uuidv7(), plan: 'free', role: 'owner' } as const;
    return { ...session, accountId, userId, isRecent: true };
  };
  /** A person who has been at the provider before. */
  const newCustomer = async () => {
    const actor = await newPerson();
    const customerId = `cus_${actor.accountId}`;
    await suite.db.getRepository(PaymentCustomerEntity).insert({ accountId: actor.accountId, customerId });
    return { ...actor, customerId };
  };
  const planOf = async ({ accountId }: { accountId: string }): Promise<string | undefined> => {
    const rows = await suite.db.query<{ plan: string }[]>('select plan from accounts where id = $1', [
      accountId,
    ]);
    return rows[0]?.plan;
  };
  const monthlyOf = async ({ accountId }: { accountId: string }) =>
    (await balancesOf(suite.db, accountId)).monthly;
  const planChanges = async (actor: SessionActor) =>
    (await listAudit(suite.db, actor, { limit: 50, action: 'plan.changed' })).entries.map(
      ({ author, before, after }) => ({ author, before, after }),
    );
  const periods = ({ accountId }: { accountId: string }) =>
    suite.db.getRepository(AllowancePeriodEntity).countBy({ accountId });

  it('open pages of the provider that lead back to ours, one customer for an account', async () => {
    const actor = await newPerson();
    const { url } = await subscribe(suite.deps, actor, {});
    const session = [...suite.stripe.sessions.values()].at(-1);
    expect(url).to.equal(`${suite.stripe.url}/pay/${session?.id}`);
    expect(session?.['sent']).to.include({
      ...{ mode: 'subscription', client_reference_id: actor.accountId, 'line_items[0][price]': 'price_pro' },
      'subscription_data[metadata][account_id]': actor.accountId,
      success_url: 'https://dockyard.example/dashboard/billing?plan=pro',
    });
    expect((await openPortal(suite.deps, actor, { returnUrl: '/back' })).url).to.contain('portal.example');
    expect(suite.stripe.billing.portals).to.deep.equal(['https://dockyard.example/back']);
    expect(
      await suite.db.getRepository(PaymentCustomerEntity).countBy({ accountId: actor.accountId }),
    ).to.equal(1);
  });

  it('open one page for equal requests with one key, and others for other keys', async () => {
    const actor = await newPerson();
    const LONG = 'k'.repeat(255);
    const urls = await Promise.all(
      [LONG, LONG, 'key-2', null, null].map(async (key) => (await subscribe(suite.deps, actor, {}, key)).url),
    );
    expect(urls[1]).to.equal(urls[0]);
    expect(new Set(urls).size).to.equal(4);
    for (const key of suite.stripe.made) expect(key.length).to.be.at.most(255);
  });

  it('are refused without a provider, without a price, for pages of others, and while the provider is away', async () => {
    const actor = await newPerson();
    const without = { ...suite.deps, payments: null };
    const unpriced = {
      ...suite.deps,
      payments: openPayments({
        ...{ stripeSecretKey: 'sk_test_1', stripeWebhookSecrets: '', stripeApiUrl: suite.stripe.url },
        ...{ stripeProPrice: '', stripeTax: false, stripeInvoices: false },
      }),
    };
    expect(await codeOf(subscribe(without, actor, {}))).to.equal('PAYMENTS_NOT_CONFIGURED');
    expect(await codeOf(openPortal(without, actor, {}))).to.equal('PAYMENTS_NOT_CONFIGURED');
    expect(await codeOf(subscribe(unpriced, actor, {}))).to.equal('PAYMENTS_NOT_CONFIGURED');
    for (const address of ['https://evil.example/', '//evil', 'javascript:alert(1)']) {
      for (const field of ['successUrl', 'cancelUrl'])
        expect(await codeOf(subscribe(suite.deps, actor, { [field]: address }))).to.equal('VALIDATION_ERROR');
      expect(await codeOf(openPortal(suite.deps, actor, { returnUrl: address }))).to.equal(
        'VALIDATION_ERROR',
      );
    }
    suite.stripe.isDown = true;
    try {
      expect(await codeOf(openPortal(suite.deps, actor, {}))).to.equal('SERVICE_UNAVAILABLE');
    } finally {
      suite.stripe.isDown = false;
    }
  });

  it('come to the same plan and allowance in any order, each event one to five times, also at once', async () => {
    for (let order = 0; order < 6; order += 1) {
      const customer = await newCustomer();
      const id = suite.stripe.billing.set(customer.customerId, 'active');
      const paid = suite.stripe.billing.invoice(id, month(-1));
      const over = suite.stripe.billing.invoice(id, month(-31));
      const events: [string, string][] = [
        ['customer.subscription.created', id],
        ['invoice.paid', paid],
        ['invoice.paid', over],
        ['customer.subscription.updated', id],
      ];
      const shuffled = events
        .flatMap((event, index) => Array.from({ length: ((order + index) % 5) + 1 }, () => event))
        .sort(() => Math.random() - 0.5);
      if (order % 2 === 0) for (const [type, object] of shuffled) await suite.tell(type, object);
      else await Promise.all(shuffled.map(([type, object]) => suite.tell(type, object)));
      expect([await planOf(customer), await monthlyOf(customer), await periods(customer)]).to.deep.equal([
        ...['pro', 2_000, 1],
      ]);
      expect(await planChanges(customer)).to.have.length(1);
    }
    expect(suite.alarms).to.deep.equal([]);
  });

  it('that are late keep the plan and grant nothing; their end sets the plan to free and leaves the paid period', async () => {
    const customer = await newCustomer();
    const { billing } = suite.stripe;
    const id = billing.set(customer.customerId, 'incomplete');
    await suite.tell('customer.subscription.created', id);
    expect(await planOf(customer)).to.equal('free');
    billing.set(customer.customerId, 'active', id);
    await suite.tell('invoice.paid', billing.invoice(id, month(-30)));
    await suite.tell('invoice.paid', billing.invoice(id, month(-1)));
    expect(await codeOf(subscribe(suite.deps, customer, {}))).to.equal('VALIDATION_ERROR');
    expect(await codeOf(free(customer))).to.equal('VALIDATION_ERROR');
    await endPeriod(suite.db, customer.accountId);
    billing.set(customer.customerId, 'past_due', id);
    const late = billing.invoice(id, { ...month(0), status: 'open' });
    await suite.tell('invoice.payment_failed', late);
    await grantDueAllowances(suite.db);
    expect([await planOf(customer), await monthlyOf(customer)]).to.deep.equal(['pro', 0]);
    billing.set(customer.customerId, 'active', id);
    billing.invoice(id, month(0), late);
    await suite.tell('invoice.paid', late);
    expect(await monthlyOf(customer)).to.equal(2_000);
    billing.set(customer.customerId, 'canceled', id);
    await suite.tell('customer.subscription.deleted', id);
    expect([await planOf(customer), await monthlyOf(customer)]).to.deep.equal(['free', 2_000]);
    const provider = { kind: 'payments', id: null, userId: null, email: null };
    expect(await planChanges(customer)).to.deep.equal([
      {
        author: provider,
        before: { plan: 'pro' },
        after: { plan: 'free', subscriptionId: id, status: 'canceled' },
      },
      {
        author: provider,
        before: { plan: 'free' },
        after: { plan: 'pro', subscriptionId: id, status: 'active' },
      },
    ]);
  });
  const free = ({ accountId }: SessionActor) =>
    setPlanAsOperator(
      suite.db,
      { accountId, plan: 'free', key: uuidv7(), reason: 'An end' },
      operator('ada'),
    );

  it('grant nothing for other prices, parts of a period, other invoices; strangers are parked with an alarm', async () => {
    const customer = await newCustomer();
    const { billing } = suite.stripe;
    const id = billing.set(customer.customerId, 'active');
    for (const invoice of [
      billing.invoice(id, { ...month(-1), price: 'price_other' }),
      billing.invoice(id, { ...month(-1), proration: true }),
      billing.invoice(null, month(-1)),
    ])
      await suite.tell('invoice.paid', invoice);
    expect([await planOf(customer), await periods(customer)]).to.deep.equal(['pro', 0]);
    expect(suite.alarms).to.deep.equal([]);
    const events = [
      await suite.tell('customer.subscription.created', billing.set('cus_stranger', 'active')),
      await suite.tell('customer.subscription.created', 'sub_unknown'),
    ];
    for (const event of events)
      expect(await suite.db.getRepository(PaymentEventEntity).findOneBy({ id: event })).to.include.keys(
        'parked',
      );
    expect(suite.alarms).to.have.length(2);
  });

  it('wait for a suspended account, and begin behind a month that an operator gave', async () => {
    const customer = await newCustomer();
    const { accountId, customerId } = customer;
    const id = suite.stripe.billing.set(customerId, 'active');
    await suite.db.query(`update accounts set state = 'SUSPENDED' where id = $1`, [accountId]);
    await suite.tell('invoice.paid', suite.stripe.billing.invoice(id, month(-1)));
    expect(await periods(customer)).to.equal(0);
    await suite.db.query(`update accounts set state = 'ACTIVE' where id = $1`, [accountId]);
    expect((await grantDueAllowances(suite.db)).granted).to.equal(1);
    expect(await monthlyOf(customer)).to.equal(2_000);

    const given = await newCustomer();
    const change = { accountId: given.accountId, plan: 'pro', key: uuidv7(), reason: 'A gift' } as const;
    await setPlanAsOperator(suite.db, change, operator('ada'), new Date(now - 2 * DAY_MS));
    const own = suite.stripe.billing.set(given.customerId, 'active');
    await suite.tell('invoice.paid', suite.stripe.billing.invoice(own, month(-1)));
    expect([await periods(given), await monthlyOf(given)]).to.deep.equal([1, 2_000]);
    await endPeriod(suite.db, given.accountId);
    await grantDueAllowances(suite.db);
    expect([await periods(given), await monthlyOf(given)]).to.deep.equal([2, 2_000]);
    suite.stripe.billing.set(given.customerId, 'canceled', own);
    await suite.tell('customer.subscription.deleted', own);
    expect(await planOf(given)).to.equal('pro');
  });

  it('and plans are compared each night, which makes up for lost events, and their payments are none of top-ups', async () => {
    const { billing, returns } = suite.stripe;
    // What other tests left is compared once.
    await compareSubscriptions(suite.deps);
    const known = new Set((await compareSubscriptions(suite.deps)).map(({ subject }) => subject));
    const compare = async () =>
      Object.fromEntries(
        (await compareSubscriptions(suite.deps))
          .filter(({ subject }) => !known.has(subject))
          .map(({ subject, detail }) => [subject, detail]),
      );
    const [lost, ended, unpaid] = [await newCustomer(), await newCustomer(), await newCustomer()];
    const unheard = billing.set(lost.customerId, 'active');
    const over = billing.set(ended.customerId, 'active');
    const due = billing.set(unpaid.customerId, 'active');
    for (const id of [over, due]) await suite.tell('customer.subscription.created', id);
    billing.set(ended.customerId, 'canceled', over);
    await suite.db.query(
      `update subscriptions set created_at = created_at - interval '2 days' where id = $1`,
      [due],
    );
    const odd = await newPerson();
    await suite.db.query(`update accounts set plan = 'pro' where id = $1`, [odd.accountId]);
    expect(await compare()).to.deep.equal({
      [unheard]: 'unknown here, active at the provider',
      [over]: 'active here, canceled at the provider',
      [due]: 'active, and no invoice of the present period was paid',
      [odd.accountId]: 'the plan is pro, and nothing gives it',
    });
    expect([await planOf(lost), await planOf(ended)]).to.deep.equal(['pro', 'free']);
    const paymentId = `pi_${uuidv7()}`;
    returns.move('charge', 2_400, { id: 'ch_plan', object: 'charge', payment_intent: paymentId });
    await suite.buy('topup-10');
    const balance = () => compareBalance(suite.db, requirePayments(suite.deps.payments), -1);
    expect((await balance()).map(({ subject }) => subject)).to.deep.equal([paymentId]);
    await suite.tell('invoice.paid', billing.invoice(due, { ...month(-1), paymentId }));
    expect(await balance()).to.deep.equal([]);
    await suite.db.query(`update accounts set plan = 'free' where id = $1`, [odd.accountId]);
    expect(await compare()).to.deep.equal({});
  });
});
