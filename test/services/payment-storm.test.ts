/**
 * All that the provider tells of an account at once: top-ups, auto top-ups, refunds, disputes and subscriptions. Whatever the order of
 * the events, however often each comes, how late, and who dies between, the books end the same as when each comes once and in order.
 * `DOCKYARD_PAYMENT_STORM_SEED` gives other schedules, `DOCKYARD_PAYMENT_STORM_RUNS` more of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect } from 'chai';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';

import { AutoTopupEntity, PaymentCustomerEntity, TopupEntity } from '../../entities/payments.ts';
import type { KeyActor } from '../../src/domain/access.ts';
import { adjustCredits } from '../../src/services/ledger/index.ts';
import { cardPaymentOf } from '../../src/services/payments/charge-card.ts';
import { receiveEvent, runAutoTopUps, sweepPaymentEvents } from '../../src/services/payments/index.ts';
import { requirePayments } from '../../src/services/payments/topup-rows.ts';
import { grantDueAllowances } from '../../src/services/plans/index.ts';
import { newOwner } from '../support/actors.ts';
import { balancesOf } from '../support/ledger.ts';
import { IS_LONG } from '../support/long.ts';
import { SuitePayments } from '../support/payments.ts';

const RUNS = Number(process.env['DOCKYARD_PAYMENT_STORM_RUNS'] ?? (IS_LONG ? 3 : 1));
const SEED = Number(process.env['DOCKYARD_PAYMENT_STORM_SEED'] ?? 20_261_124);
const PROCESS = join(import.meta.dirname, '..', 'support', 'payment-process.ts');
const DAY_MS = 86_400_000;

type Event = readonly [type: string, objectId: string];

/** An account with what has happened of it at the provider; `later` happens between the first events and the rest. */
interface Scene {
  readonly actor: KeyActor;
  readonly first: readonly Event[];
  readonly later: () => readonly Event[];
}

describe('a storm of events', function () {
  this.timeout(60_000 + RUNS * 30_000);
  const suite = new SuitePayments();
  let killed = 0;
  const now = Math.floor(Date.now() / 1000) * 1000;

  const openScene = async (): Promise<Scene> => {
    const { stripe, db } = suite;
    const { returns, billing } = stripe;
    const actor = await newOwner(db);
    const { accountId } = actor;
    const customerId = `cus_${accountId}`;
    await db.getRepository(PaymentCustomerEntity).insert({ accountId, customerId });
    await adjustCredits(db, {
      ...{ accountId, amountPence: -5_500, key: accountId, description: 'A correction', mayOwe: true },
    });
    const big = await suite.order('topup-50', 1_000, actor);
    const slow = await suite.order('topup-10', 0, actor);
    stripe.change(slow.topupId, { payment_status: 'unpaid' });
    const auto = await chargeAndDie(accountId, customerId);
    const inTax = returns.refund(big.paymentId, 600).id;
    const ofAuto = returns.refund(`pi_${auto}`, 400).id;
    const won = returns.dispute(big.paymentId, 1_200).id;
    const [one = '', two = ''] = [0, 1].map(() => billing.set(customerId, 'active'));
    const month = { startsAt: new Date(now - DAY_MS), endsAt: new Date(now + 29 * DAY_MS) };
    const planPayment = `pi_plan_${accountId}`;
    const paid = billing.invoice(one, { ...month, paymentId: planPayment });
    const second = billing.invoice(two, month);
    const session = (topupId: string) => stripe.sessionOf(topupId).id;
    return {
      actor,
      first: [
        ['checkout.session.completed', session(big.topupId)],
        ['checkout.session.completed', session(slow.topupId)],
        ['payment_intent.succeeded', `pi_${auto}`],
        ['refund.created', inTax],
        ['refund.created', ofAuto],
        ['charge.dispute.funds_withdrawn', won],
        ['customer.subscription.created', one],
        ['invoice.paid', paid],
        ['invoice.paid', second],
      ],
      later: () => {
        stripe.complete(slow.topupId);
        const failed = returns.refund(big.paymentId, 700).id;
        returns.failRefund(failed);
        returns.moveDispute(won, 1_200, 'won');
        const lost = returns.dispute(slow.paymentId, 1_000).id;
        returns.closeDispute(lost, 'lost');
        const ofPlan = returns.refund(planPayment, 2_400).id;
        return [
          ['checkout.session.async_payment_succeeded', session(slow.topupId)],
          ['refund.created', failed],
          ['refund.failed', failed],
          ['charge.dispute.funds_reinstated', won],
          ['charge.dispute.closed', won],
          ['charge.dispute.funds_withdrawn', lost],
          ['charge.dispute.closed', lost],
          ['refund.created', ofPlan],
          ['customer.subscription.updated', one],
        ];
      },
    };
  };

  /** An auto top-up whose card was charged by a process that died before it wrote the answer. */
  const chargeAndDie = async (accountId: string, customerId: string): Promise<string> => {
    const { db, stripe, deps } = suite;
    stripe.cards.defaults.set(customerId, 'pays');
    await db.getRepository(AutoTopupEntity).insert({
      ...{ accountId, tierId: 'topup-10', belowPence: 1_000_000, monthLimitPence: 1_000 },
    });
    const id = uuidv7();
    await db.getRepository(TopupEntity).insert({
      ...{ id, accountId, fingerprint: 'auto', tierId: 'topup-10', autoNumber: 1, amountPence: 1_000 },
      ...{ bonusPence: 0, successUrl: '', cancelUrl: '', expiresAt: new Date(Date.now() + DAY_MS) },
    });
    const topup = await db.getRepository(TopupEntity).findOneByOrFail({ id });
    await cardPaymentOf(db, requirePayments(deps.payments), topup);
    return id;
  };

  /** All that follows from the events, and no more. */
  const outcomeOf = async ({ actor }: Scene) => {
    const topups = await suite.db.getRepository(TopupEntity).findBy({ accountId: actor.accountId });
    const [plan] = await suite.db.query<object[]>('select plan from accounts where id = $1', [
      actor.accountId,
    ]);
    return {
      ...{ balances: await balancesOf(suite.db, actor.accountId), books: await suite.booksOf(actor), plan },
      topups: topups
        .map(({ tierId, state, returnedPence, autoNumber }) =>
          [tierId, state, returnedPence, autoNumber].join(' '),
        )
        .sort(),
    };
  };

  /** What is left undone is done by the schedules. */
  const settle = async (): Promise<void> => {
    await sweepPaymentEvents(suite.deps, 0);
    await runAutoTopUps(suite.deps);
    await grantDueAllowances(suite.db);
  };

  /** An event that is stored, and whose process is killed when the provider has answered it. */
  const storeAndDie = async (event: Event): Promise<void> => {
    await receive(event);
    const { held, release } = suite.stripe.holdNextAnswer();
    const child = spawn(process.execPath, [PROCESS, suite.url, suite.stripe.url, 'events'], {
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await Promise.race([held, ended]);
    if (child.exitCode === null) killed += 1;
    child.kill('SIGKILL');
    await ended;
    release();
  };
  const receive = ([type, objectId]: Event): Promise<string> => {
    const { body, signature } = suite.stripe.event(type, objectId);
    return receiveEvent(suite.deps, Buffer.from(body), signature);
  };

  it('ends with the same books in any order, each one to five times, delayed, and with who handles it killed', async () => {
    const calm = await openScene();
    for (const [type, id] of calm.first) await suite.tell(type, id);
    for (const [type, id] of calm.later()) await suite.tell(type, id);
    await settle();
    const wanted = await outcomeOf(calm);
    expect(wanted).to.deep.equal({
      // 5,250 − 525 of the large one, 600 of the one that was bought by itself, nothing of the lost one, against 5,500 owed.
      balances: { wallet: 0, wallet_held: 0, monthly: 2_000, monthly_held: 0, debt: -175 },
      books: { bonus_expense: -225, stripe_clearing: -6_000, tax_payable: 900 },
      plan: { plan: 'pro' },
      topups: ['topup-10 PAID 1000 ', 'topup-10 PAID 400 1', 'topup-50 PAID 600 '],
    });
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(1_000_000)), async (stream) => {
        const pick = (most: number): number => Number(stream.next().value) % most;
        const shuffled = <T>(all: readonly T[]): T[] =>
          all
            .map((one) => ({ one, at: pick(1_000_000) }))
            .sort((a, b) => a.at - b.at)
            .map(({ one }) => one);
        const scene = await openScene();
        const repeated = (all: readonly Event[]) =>
          shuffled(all.flatMap((event) => Array.from({ length: 1 + pick(5) }, () => event)));
        const early = repeated(scene.first);
        const delayed = early.splice(0, pick(early.length));
        await deliver(early, pick);
        await storeAndDie(early[0] ?? ['invoice.paid', 'in_unknown']);
        await deliver(shuffled([...delayed, ...repeated(scene.later())]), pick);
        await storeAndDie(delayed[0] ?? early[0] ?? ['invoice.paid', 'in_unknown']);
        await settle();
        expect(await outcomeOf(scene)).to.deep.equal(wanted);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    expect(killed).to.be.above(0);
  });

  /** Events that come some at once; some are stored only, and of some the provider's answer is lost. */
  const deliver = async (events: readonly Event[], pick: (most: number) => number): Promise<void> => {
    for (let at = 0; at < events.length;) {
      const together = events.slice(at, (at += 1 + pick(6)));
      if (pick(5) === 0) suite.stripe.answersToLose = 1 + pick(3);
      await Promise.all(
        together.map(async (event) => {
          if (pick(6) === 0) return receive(event);
          return suite.tell(...event).catch(() => undefined);
        }),
      );
      if (pick(8) === 0) await runAutoTopUps(suite.deps).catch(() => undefined);
      suite.stripe.answersToLose = 0;
    }
  };
});
