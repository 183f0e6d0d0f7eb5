/** Movements that wait for each other's locks: the order of their times, and decisions that are made after the wait. */
import { expect } from 'chai';

import { lockAccounts } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import type { Tx } from '../../src/services/transaction.ts';
import {
  admit,
  balancesOf,
  end,
  endPeriodIn,
  give,
  newHold,
  nextPeriod,
  openCustomer,
  startPeriod,
  suiteLedger,
} from '../support/ledger.ts';
import type { Customer } from '../support/ledger.ts';
import { waitsForLock } from '../support/lock-waits.ts';
import { until } from '../support/until.ts';

describe('a movement that waited for another one', () => {
  const test = suiteLedger();

  /** Starts `late` while the customer's balances are locked, and moves credits under that lock only then. */
  const whileLocked = async <T>(
    { accountId }: Customer,
    late: { readonly text: string; start(): Promise<T> },
    early: (tx: Tx) => Promise<unknown>,
  ): Promise<T> => {
    const runner = test.db.createQueryRunner();
    try {
      await runner.startTransaction();
      await lockAccounts(runner.manager, [accountId]);
      const waiting = late.start();
      await waitsForLock(test.db, late.text);
      await early(runner.manager);
      await runner.commitTransaction();
      return await waiting;
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      await runner.release();
    }
  };
  /** The kinds of the newest transfers by version, which must be the order of their times, too. */
  const newest = async ({ accountId }: Customer, count: number): Promise<string[]> => {
    const rows = await test.db.query<{ kind: string; version: number; later: boolean }[]>(
      `select kind, version, coalesce(created_at >= lag(created_at) over (order by version), true) as later
       from ledger_transfers where account_id = $1 order by version`,
      [accountId],
    );
    expect(rows.map(({ version }) => version)).to.deep.equal(rows.map((_, index) => index + 1));
    expect(
      rows.filter(({ later }) => !later),
      'older than the one before',
    ).to.deep.equal([]);
    return rows.map(({ kind }) => kind).slice(-count);
  };
  const placed = async (customer: Customer, pence: number) => {
    const request = newHold(customer.accountId, pence);
    expect((await inTransaction(test.db, (tx) => admit(tx, customer, request))).held).to.equal(true);
    return request;
  };
  const ending = (request: ReturnType<typeof newHold>, chargePence: number) => ({
    text: 'ledger_settle',
    start: () =>
      inTransaction(test.db, (tx) => end(tx, request.jobId, { holdId: request.holdId, chargePence })),
  });

  it('to be placed is later in time and in version', async () => {
    const customer = await openCustomer(test.db, 100);
    const first = await placed(customer, 10);
    const second = newHold(customer.accountId, 20);
    await whileLocked(
      customer,
      {
        text: 'ledger_reserve',
        start: () => inTransaction(test.db, (tx) => admit(tx, customer, second)),
      },
      (tx) => end(tx, first.jobId, { holdId: first.holdId, chargePence: 4 }),
    );
    expect(await newest(customer, 4)).to.deep.equal(['hold', 'charge', 'hold_release', 'hold']);
  });

  for (const [bucket, monthlyPence] of [
    ['wallet', 0],
    ['monthly', 50],
  ] as const)
    it(`to settle credits of the ${bucket} is later in time and in version`, async () => {
      const customer = await openCustomer(test.db, 100);
      if (monthlyPence > 0) await startPeriod(test.db, customer.accountId, monthlyPence);
      const first = await placed(customer, 10);
      await whileLocked(customer, ending(first, 4), (tx) =>
        admit(tx, customer, newHold(customer.accountId, 20)),
      );
      expect(await newest(customer, 4)).to.deep.equal(['hold', 'hold', 'charge', 'hold_release']);
    });

  it('to be granted is later in time and in version', async () => {
    const customer = await openCustomer(test.db, 100);
    await whileLocked(
      customer,
      { text: 'ledger_balances', start: () => give(test.db, customer.accountId, 5) },
      (tx) => admit(tx, customer, newHold(customer.accountId, 20)),
    );
    expect(await newest(customer, 3)).to.deep.equal(['promo', 'hold', 'promo']);
  });

  it('gives nothing back to a monthly period that ended while it waited', async () => {
    // The settlement must wait before the period ends; a slower machine gets more time.
    for (const seconds of [1, 4, 16]) if (await periodEnds(seconds)) return;
    expect.fail('the settlement never waited before the period ended');
  });

  /** False when the period was over before the settlement waited. */
  const periodEnds = async (seconds: number): Promise<boolean> => {
    const customer = await openCustomer(test.db, 100);
    const { accountId } = customer;
    await startPeriod(test.db, accountId, 60);
    await endPeriodIn(test.db, accountId, seconds);
    const request = await placed(customer, 40);
    const isOver = async (): Promise<boolean> => {
      const [row] = await test.db.query<{ over: boolean }[]>(
        'select p.ends_at <= clock_timestamp() as over from holds h join allowance_periods p on p.id = h.monthly_period where h.id = $1',
        [request.holdId],
      );
      return row?.over !== false;
    };
    let waitedInTime = false;
    await whileLocked(customer, ending(request, 10), async (tx) => {
      waitedInTime = !(await isOver());
      await until('the period is over', isOver, 2_000 * seconds);
      await nextPeriod(tx, accountId, 50);
    });
    if (!waitedInTime) return false;
    expect(await balancesOf(test.db, accountId)).to.include({ monthly: 50, monthly_held: 0, wallet: 100 });
    expect(await newest(customer, 4)).to.deep.equal([
      'monthly_expiry',
      'monthly_grant',
      'charge',
      'monthly_expiry',
    ]);
    return true;
  };
});
