/** Auto top-ups on a real database, against a stand-in of the provider: one charge and one credit, whatever is lost or repeated. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { createAlertActivities } from '../../activities/alerts.ts';
import { AlertEntity } from '../../entities/alerts.ts';
import { PaymentCustomerEntity, TopupEntity } from '../../entities/payments.ts';
import type { Mail } from '../../src/adapters/mail/mail.ts';
import { openPayments } from '../../src/adapters/payments/stripe.ts';
import type { SessionActor } from '../../src/domain/access.ts';
import type { AutoTopUpRequest } from '../../src/domain/auto-topups.ts';
import { sendAlerts } from '../../src/services/alerts/index.ts';
import { createCredits } from '../../src/services/credits.ts';
import { adjustCredits } from '../../src/services/ledger/index.ts';
import {
  handleEvent,
  hasUnusableCard,
  listTopups,
  receiveEvent,
  runAutoTopUps,
} from '../../src/services/payments/index.ts';
import type { FollowDependencies } from '../../src/services/payments/index.ts';
import { changeBillingSettings, readBillingSettings } from '../../src/services/settings/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { admit, newHold, openCustomer, suiteLedger } from '../support/ledger.ts';
import type { Customer } from '../support/ledger.ts';
import { codeOf } from '../support/refusals.ts';
import type { CardTemper } from '../support/stripe-cards.ts';
import { StripeStandIn, WEBHOOK_SECRET } from '../support/stripe.ts';

describe('auto top-ups', function () {
  this.timeout(240_000);
  const test = suiteLedger();
  let stripe: StripeStandIn;
  let deps: FollowDependencies;
  before(async () => {
    stripe = await new StripeStandIn().start();
    deps = {
      db: test.db,
      payments: openPayments({
        ...{ stripeSecretKey: 'sk_test_1', stripeWebhookSecrets: WEBHOOK_SECRET, stripeApiUrl: stripe.url },
        ...{ stripeProPrice: 'price_pro', stripeTax: false, stripeInvoices: false },
      }),
      alarm: () => undefined,
    };
  });
  after(() => stripe.stop());

  const actorOf = ({ accountId, userId }: Customer): SessionActor => ({
    ...{ kind: 'session', accountId, userId, sessionId: uuidv7(), plan: 'free', role: 'owner' },
    isRecent: true,
  });
  const wish = { tierId: 'topup-10', belowCents: 100, monthLimitCents: 2_000 };
  const set = (customer: Customer, autoTopUp: AutoTopUpRequest | null, payments = deps.payments) =>
    changeBillingSettings(
      test.db,
      actorOf(customer),
      { body: { autoTopUp }, address: '192.0.2.1' },
      payments,
    );
  const storeCard = async ({ accountId }: Customer, temper: CardTemper): Promise<void> => {
    const customerId = `cus_${accountId}`;
    stripe.cards.defaults.set(customerId, temper);
    await test.db.getRepository(PaymentCustomerEntity).upsert({ accountId, customerId }, ['accountId']);
  };
  const open = async (pence: number, temper: CardTemper = 'pays', wanted = wish): Promise<Customer> => {
    const customer = await openCustomer(test.db, pence);
    await storeCard(customer, temper);
    await set(customer, wanted);
    return customer;
  };
  const hold = (customer: Customer, pence: number) =>
    inTransaction(test.db, (tx) => admit(tx, customer, newHold(customer.accountId, pence)));
  const chargesOf = ({ accountId }: Customer) =>
    stripe.made.filter((key) => key.startsWith(`auto/${accountId}/`));
  const states = async ({ accountId }: Customer): Promise<unknown> =>
    (
      await test.db.getRepository(TopupEntity).find({ where: { accountId }, order: { autoNumber: 'ASC' } })
    ).map(({ state }) => state);
  const walletOf = async (customer: Customer): Promise<readonly number[]> => {
    const { wallet_cents, debt_cents } = await createCredits(test.db).balance(actorOf(customer));
    return [wallet_cents, debt_cents];
  };

  it('are one payment for fifty submits at once and eight rounds at once', async () => {
    const customer = await open(1_000);
    await runAutoTopUps(deps);
    expect(chargesOf(customer)).to.deep.equal([]);
    await Promise.all(Array.from({ length: 50 }, () => hold(customer, 20)));
    await Promise.all(Array.from({ length: 8 }, () => runAutoTopUps(deps)));
    await runAutoTopUps(deps);
    expect(chargesOf(customer)).to.deep.equal([`auto/${customer.accountId}/1`]);
    expect(await states(customer)).to.deep.equal(['PAID']);
    // The thousand that is held, and the thousand that was bought.
    expect((await walletOf(customer))[0]).to.equal(2_000);
    const { topups } = await listTopups(test.db, actorOf(customer), { limit: 5 });
    expect(topups.map(({ tierId, state }) => [tierId, state])).to.deep.equal([['topup-10', 'PAID']]);
  });

  it('end at the limit of the month', async () => {
    const customer = await open(0);
    for (let time = 0; time < 3; time += 1) {
      await runAutoTopUps(deps);
      await hold(customer, 1_000);
    }
    expect(await states(customer)).to.deep.equal(['PAID', 'PAID']);
    await test.db.query(
      `update topups set created_at = created_at - interval '1 month' where account_id = $1 and auto_number = 1`,
      [customer.accountId],
    );
    await runAutoTopUps(deps);
    expect(chargesOf(customer)).to.have.length(3);
  });

  it('pause with one mail when the card asks for its owner, is declined or is gone, and go on when set again', async () => {
    for (const [temper, reason] of [
      ['asks', 'AUTHENTICATION_REQUIRED'],
      ['declines', 'CARD_DECLINED'],
    ] as const) {
      const customer = await open(0, temper);
      for (let time = 0; time < 3; time += 1) await runAutoTopUps(deps);
      expect(chargesOf(customer)).to.have.length(1);
      expect(await states(customer)).to.deep.equal(['FAILED']);
      const { autoTopUp } = await readBillingSettings(test.db.manager, customer);
      expect(autoTopUp).to.deep.equal({ ...wish, state: 'paused', pausedFor: reason });
      expect(await hasUnusableCard(test.db.manager, customer.accountId)).to.equal(true);
      const outbox: Mail[] = [];
      for (let time = 0; time < 2; time += 1)
        await sendAlerts({
          ...{ db: test.db, publicUrl: 'https://dockyard.example', onFailure: () => undefined },
          mailer: { send: async (mail) => void outbox.push(mail) },
        });
      const told = outbox.filter(({ to }) => to.startsWith(customer.userId));
      expect(told.map(({ subject }) => subject)).to.deep.equal(['Your credits could not be topped up']);
      await storeCard(customer, 'pays');
      expect((await set(customer, wish)).autoTopUp).to.include({ state: 'on', pausedFor: null });
      await runAutoTopUps(deps);
      expect(await states(customer)).to.deep.equal(['FAILED', 'PAID']);
    }
    const bare = await open(0);
    stripe.cards.defaults.delete(`cus_${bare.accountId}`);
    await runAutoTopUps(deps);
    expect((await readBillingSettings(test.db.manager, bare)).autoTopUp?.pausedFor).to.equal(
      'NO_PAYMENT_METHOD',
    );
    expect(await test.db.getRepository(AlertEntity).countBy({ accountId: bare.accountId })).to.equal(1);
  });

  it('are one charge and one credit when answers are lost, the card changes, and event and rounds come at once', async () => {
    const customer = await open(0);
    const { accountId } = customer;
    const dies = async (): Promise<void> => {
      // Stripe's package repeats a request twice.
      stripe.answersToLose = 3;
      expect(await runAutoTopUps(deps).catch(() => 'died')).to.equal('died');
      expect(stripe.answersToLose).to.equal(0);
    };
    await dies();
    expect(chargesOf(customer)).to.deep.equal([]);
    await test.db.query(`update topups set auto_card = 'pm_pays' where account_id = $1`, [accountId]);
    await dies();
    expect(chargesOf(customer)).to.have.length(1);
    expect(await states(customer)).to.deep.equal(['CREATED']);
    await storeCard(customer, 'declines');
    const { id } = await test.db.getRepository(TopupEntity).findOneByOrFail({ accountId });
    const events = [1, 2, 3].map(() => stripe.event('payment_intent.succeeded', `pi_${id}`));
    await Promise.all([
      ...events.map(async ({ body, signature }) =>
        handleEvent(deps, await receiveEvent(deps, Buffer.from(body), signature)),
      ),
      ...[1, 2].map(() => runAutoTopUps(deps)),
    ]);
    expect(chargesOf(customer)).to.have.length(1);
    expect(await states(customer)).to.deep.equal(['PAID']);
    expect(await walletOf(customer)).to.deep.equal([1_000, 0]);
  });

  it('are charged once when the round dies between the answer of the provider and the row', async () => {
    const customer = await open(0);
    const { accountId } = customer;
    await test.db.query('alter table topups add constraint dead check (payment_id is null) not valid');
    expect(await runAutoTopUps(deps).catch(() => 'died')).to.equal('died');
    await test.db.query('alter table topups drop constraint dead');
    expect(await states(customer)).to.deep.equal(['CREATED']);
    await storeCard(customer, 'declines');
    const { id } = await test.db.getRepository(TopupEntity).findOneByOrFail({ accountId });
    const event = stripe.event('payment_intent.succeeded', `pi_${id}`);
    const told = await receiveEvent(deps, Buffer.from(event.body), event.signature);
    await Promise.all([handleEvent(deps, told), runAutoTopUps(deps), runAutoTopUps(deps)]);
    expect(chargesOf(customer)).to.have.length(1);
    expect(await states(customer)).to.deep.equal(['PAID']);
    expect(await walletOf(customer)).to.deep.equal([1_000, 0]);
  });

  it('are bought by the round of the alerts, which sends its mails also while the provider is down', async () => {
    const [customer, waiting] = [await open(0), await open(0, 'declines')];
    await runAutoTopUps(deps);
    await test.db.query('update auto_topups set below_pence = 1001 where account_id = $1', [
      customer.accountId,
    ]);
    const outbox: Mail[] = [];
    const activities = createAlertActivities({
      ...{ ...deps, publicUrl: 'https://dockyard.example' },
      mailer: { place: 'a test', send: async (mail) => void outbox.push(mail), close: () => undefined },
    });
    const lines: string[] = [];
    const logger = new DefaultLogger('ERROR', ({ message }) => void lines.push(message));
    const runRound = () =>
      new MockActivityEnvironment(undefined, { logger }).run(() => activities.sendAlerts());
    stripe.isDown = true;
    await runRound();
    stripe.isDown = false;
    expect(lines).to.deep.equal(['auto top-ups were not all bought']);
    expect(outbox.filter(({ to }) => to.startsWith(waiting.userId))).to.have.length(1);
    expect(await states(customer)).to.deep.equal(['PAID', 'CREATED']);
    await runRound();
    expect(await states(customer)).to.deep.equal(['PAID', 'PAID']);
  });

  it('pay a debt first', async () => {
    const customer = await open(0);
    const { accountId } = customer;
    await adjustCredits(test.db, {
      ...{ accountId, amountPence: -700, key: accountId, description: 'A correction', mayOwe: true },
    });
    await runAutoTopUps(deps);
    expect(await walletOf(customer)).to.deep.equal([300, 0]);
  });

  it('are refused without a card, without a provider and for unknown tiers, and turned off by null', async () => {
    const customer = await openCustomer(test.db);
    expect(await codeOf(set(customer, wish))).to.equal('NO_PAYMENT_METHOD');
    expect(await codeOf(set(customer, { ...wish, tierId: 'topup-11' }))).to.equal('UNKNOWN_TIER');
    expect(await codeOf(set(customer, wish, null))).to.equal('NO_PAYMENT_METHOD');
    await storeCard(customer, 'pays');
    expect((await set(customer, wish)).autoTopUp).to.deep.equal({ ...wish, state: 'on', pausedFor: null });
    expect((await set(customer, null, null)).autoTopUp).to.equal(null);
    await runAutoTopUps(deps);
    expect(chargesOf(customer)).to.deep.equal([]);
  });
});
