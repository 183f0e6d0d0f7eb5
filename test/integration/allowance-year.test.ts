/**
 * A leap year of allowances on a server whose clock jumps: the workflow that the schedule starts, from the product's bundle, with the
 * real activity, which reads the clock of the server. The server has no schedules, so the test starts the round of each second day
 * itself; a schedule that stands still is a run of days without a round.
 */
import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';

import { createPlanActivities } from '../../activities/plans.ts';
import { AllowancePeriodEntity } from '../../entities/ledger.ts';
import { PaymentCustomerEntity } from '../../entities/payments.ts';
import { ensureBundle } from '../../src/bin/process/workflow-bundle.ts';
import { CONTROL_QUEUE, STORAGE_QUEUE } from '../../src/contracts/names.ts';
import type { Plan } from '../../src/domain/plans.ts';
import { operator } from '../../src/services/audit/index.ts';
import { setPlanAsOperator } from '../../src/services/plans/index.ts';
import { balancesOf, openCustomer } from '../support/ledger.ts';
import type { Customer } from '../support/ledger.ts';
import { SuitePayments } from '../support/payments.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { openTimeSkipping } from '../support/time-skipping.ts';

const DAY_MS = 86_400_000;
const [FIRST, LAST] = [Date.parse('2028-01-31T06:00:00Z'), Date.parse('2029-01-31T06:00:00Z')];
/** Days on which no round comes: over the end of a month, and over the whole of another. */
const DOWN: readonly (readonly [string, string])[] = [
  ['2028-03-20', '2028-04-12'],
  ['2028-10-15', '2028-12-01'],
];

describe('a year of allowances', function () {
  this.timeout(240_000);
  const suite = new SuitePayments();
  let time: TestWorkflowEnvironment;
  before(async () => {
    quietRuntime();
    time = await openTimeSkipping();
  });
  after(() => time.teardown());

  const now = async (): Promise<Date> => new Date(await time.currentTimeMs());
  const set = async ({ accountId }: Customer, plan: Plan) =>
    setPlanAsOperator(
      suite.db,
      { accountId, plan, key: uuidv7(), reason: 'A contract' },
      operator('ada'),
      await now(),
    );
  const periodsOf = async ({ accountId }: Customer): Promise<string[]> => {
    const rows = await suite.db
      .getRepository(AllowancePeriodEntity)
      .find({ where: { accountId }, order: { startsAt: 'asc' } });
    return rows.map(({ startsAt }) => startsAt.toISOString().slice(0, 10));
  };
  const expiredOf = async ({ accountId }: Customer): Promise<number> => {
    const [row] = await suite.db.query<{ readonly pence: number }[]>(
      `select coalesce(sum(amount_pence), 0)::int as pence from ledger_entries
       where account_id = $1 and account = 'monthly_expired'`,
      [accountId],
    );
    return row?.pence ?? 0;
  };
  /** A subscription whose invoice of each month is paid on the day, but for one that is late and one that is never paid. */
  const subscriptionOf = async ({ accountId }: Customer) => {
    const { billing } = suite.stripe;
    const customerId = `cus_${accountId}`;
    await suite.db.getRepository(PaymentCustomerEntity).insert({ accountId, customerId });
    const id = billing.set(customerId, 'active');
    const startOf = (month: number): Date => new Date(Date.UTC(2028, month, 15));
    const paidOn = new Map<string, number>();
    for (let month = 1; month < 12; month += 1) {
      if (month === 7) continue;
      const day = new Date(startOf(month).getTime() + (month === 4 ? 10 : 0) * DAY_MS);
      paidOn.set(day.toISOString().slice(0, 10), month);
    }
    return async (day: string): Promise<void> => {
      const month = paidOn.get(day);
      if (month === undefined) return;
      const period = { startsAt: startOf(month), endsAt: startOf(month + 1) };
      const invoice = billing.invoice(id, period);
      for (let repeat = 0; repeat < 2; repeat += 1) await suite.tell('invoice.paid', invoice);
    };
  };

  it('grants each month once over 29 February, changes of the plan, late payments and rounds that never came', async () => {
    const [given, subscribed] = [await openCustomer(suite.db), await openCustomer(suite.db)];
    const pay = await subscriptionOf(subscribed);
    const changes: Readonly<Record<string, Plan>> = {
      ...{ '2028-01-31': 'pro', '2028-05-10': 'free', '2028-06-20': 'pro' },
    };
    await time.sleep(FIRST - (await time.currentTimeMs()));
    const { nativeConnection: connection } = time;
    const workflowBundle = { codePath: await ensureBundle() };
    const workflows = await Worker.create({ connection, taskQueue: CONTROL_QUEUE, workflowBundle });
    const activities = createPlanActivities({ db: suite.db, now });
    const worker = await Worker.create({ connection, taskQueue: STORAGE_QUEUE, activities });
    // The client of the suite would let the clock run while it waits for a round.
    const client = new Client({ connection: time.connection });
    const round = (): Promise<unknown> =>
      client.workflow.execute('grantDueAllowances', { taskQueue: CONTROL_QUEUE, workflowId: uuidv7() });
    let rounds = 0;
    const year = async (): Promise<void> => {
      for (let at = FIRST; at <= LAST; at += DAY_MS) {
        await time.sleep(Math.max(0, at - (await time.currentTimeMs())));
        const day = new Date(at).toISOString().slice(0, 10);
        const plan = changes[day];
        if (plan !== undefined) await set(given, plan);
        await pay(day);
        if (DOWN.some(([from, until]) => day >= from && day < until)) continue;
        if (((at - FIRST) / DAY_MS) % 2 === 1) continue;
        await round();
        rounds += 1;
      }
    };
    await workflows.runUntil(worker.runUntil(year));
    expect(rounds).to.be.above(140);
    const months = (...days: string[]): string[] => days.map((day) => `2028-${day}`);
    const ofOperator = [
      ...months('01-31', '02-29', '03-31', '04-30'),
      // Free from the tenth of May: that month stays, and the next one is not granted. Pro again on the twentieth of June.
      ...months('06-20', '07-20', '08-20', '09-20', '11-20', '12-20'),
      '2029-01-20',
    ];
    expect(await periodsOf(given)).to.deep.equal(ofOperator);
    const ofSubscription = months(
      '02-15',
      '03-15',
      '04-15',
      '05-15',
      '06-15',
      '07-15',
      '09-15',
      '11-15',
      '12-15',
    );
    expect(await periodsOf(subscribed)).to.deep.equal(ofSubscription);
    expect((await balancesOf(suite.db, given.accountId)).monthly).to.equal(2_000);
    expect((await balancesOf(suite.db, subscribed.accountId)).monthly).to.equal(0);
    expect(await expiredOf(given)).to.equal(2_000 * (ofOperator.length - 1));
    expect(await expiredOf(subscribed)).to.equal(2_000 * ofSubscription.length);
    expect(suite.alarms).to.deep.equal([]);
  });
});
