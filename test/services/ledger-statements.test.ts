/**
 * The statements that move credits against the pure functions that define a movement: every hold and settlement writes
 * the lots, transfers and balances that `splitHold`, `holdPosting`, `settleLots` and `linesAt` compute.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';

import { holdPosting, isCustomerAccount, linesAt, settleLots, splitHold } from '../../src/domain/ledger.ts';
import type { Line, Lot, Posting } from '../../src/domain/ledger.ts';
import { placeHold, postTransfers, settleHold, verifyLedger } from '../../src/services/ledger/index.ts';
import type { HoldRequest } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import type { Queryable } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { balancesOf, endPeriod, newHold, openCustomer, startPeriod } from '../support/ledger.ts';
import { refusalOf } from '../support/refusals.ts';
import type { Balances } from '../support/ledger.ts';

interface TransferRow {
  readonly kind: Posting['kind'];
  readonly key: string;
  readonly version: number;
  readonly job: string;
  readonly hold: string;
  readonly lines: readonly Line[];
  readonly after: Balances;
}

const scenario = fc.record({
  wallet: fc.nat(40),
  monthly: fc.nat(40),
  /** Whether the period is over before the hold. */
  late: fc.boolean(),
  amount: fc.nat(90),
  charge: fc.nat(90),
  faultIsOurs: fc.boolean(),
  /** Whether the period ends between hold and settlement. */
  ends: fc.boolean(),
  /** What is taken back between hold and settlement; what the wallet does not have becomes a debt. */
  taken: fc.option(fc.integer({ min: 1, max: 60 }), { nil: 0 }),
  /** Whether both movements share a transaction, or each has a transaction of its own. */
  inside: fc.boolean(),
});

const byAccount = (lines: readonly Line[]): Line[] =>
  [...lines].sort((one, other) => one.account.localeCompare(other.account));

/** The balances after the lines. */
function withLines(before: Balances, lines: readonly Line[]): Balances {
  const after = { ...before };
  for (const { account, amountPence } of lines)
    if (isCustomerAccount(account)) Object.assign(after, { [account]: after[account] + amountPence });
  return after;
}

describe('the statements of the ledger', () => {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase({ poolSize: 3 });
  });
  after(() => test.close());

  const transfersOf = (holdId: string): Promise<TransferRow[]> =>
    test.db.query(
      `select kind, idempotency_key as key, version, job_id as job, hold_id as hold,
         (select jsonb_agg(jsonb_build_object('account', account, 'amountPence', amount_pence) order by ordinal)
          from ledger_entries where transfer_id = t.id) as lines,
         jsonb_build_object('wallet', wallet_after, 'wallet_held', wallet_held_after, 'monthly', monthly_after,
           'monthly_held', monthly_held_after, 'debt', debt_after) as after
       from ledger_transfers t where hold_id = $1 order by version`,
      [holdId],
    );

  const lotsOf = async (holdId: string): Promise<Lot[]> => {
    const [row] = await test.db.query<{ monthly: number; endsAt: Date | null; wallet: number }[]>(
      'select monthly_pence as monthly, monthly_ends_at as "endsAt", wallet_pence as wallet from holds where id = $1',
      [holdId],
    );
    if (row === undefined) throw new Error('no hold');
    const lots: Lot[] = [
      { bucket: 'monthly', periodEndsAt: row.endsAt, amountPence: row.monthly },
      { bucket: 'wallet', periodEndsAt: null, amountPence: row.wallet },
    ];
    return lots.filter((lot) => lot.amountPence > 0);
  };

  const move = <T>(inside: boolean, work: (db: Queryable) => Promise<T>): Promise<T> =>
    inside ? inTransaction(test.db, work) : work(test.db);

  const takeBack = (accountId: string, pence: number) =>
    inTransaction(test.db, (tx) =>
      postTransfers(tx, [
        {
          ...{ kind: 'refund', accountId, key: uuidv7(), description: 'Taken back', mayOwe: true },
          lines: [
            { account: 'wallet', amountPence: -pence },
            { account: 'stripe_clearing', amountPence: pence },
          ],
        },
      ]),
    );

  /** The postings as the rows that they must become, one after the other. */
  function expectedRows(before: Balances, from: number, request: HoldRequest, postings: readonly Posting[]) {
    const { jobId, holdId } = request;
    let after = before;
    return postings.map(({ kind, lines: asked }, index) => {
      const lines = linesAt(asked, after, false);
      after = withLines(after, lines);
      const key = kind === 'hold' ? `hold/${holdId}` : `settle/${holdId}/${kind}`;
      const row = { kind, key, version: from + index + 1, job: jobId, hold: holdId };
      return { ...row, lines: byAccount(lines), after };
    });
  }

  async function play(story: typeof scenario extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
    const { accountId } = await openCustomer(test.db, story.wallet);
    if (story.monthly > 0) await startPeriod(test.db, accountId, story.monthly);
    if (story.late) await endPeriod(test.db, accountId);
    const [start] = await test.db.query<{ version: number; endsAt: Date | null }[]>(
      'select version, monthly_ends_at as "endsAt" from ledger_balances where account_id = $1',
      [accountId],
    );
    const usable = story.monthly > 0 && !story.late;
    const before = await balancesOf(test.db, accountId);
    const request = newHold(accountId, story.amount);
    const monthlyEndsAt = usable ? (start?.endsAt ?? null) : null;
    const funds = { walletPence: story.wallet, monthlyPence: usable ? story.monthly : 0, monthlyEndsAt };
    const lots = splitHold(story.amount, funds);

    const placed = await move(story.inside, (db) => placeHold(db, request));
    if (lots === null) {
      expect(placed).to.deep.equal({ held: false, availablePence: funds.walletPence + funds.monthlyPence });
      expect(await balancesOf(test.db, accountId)).to.deep.equal(before);
      expect(await transfersOf(request.holdId)).to.deep.equal([]);
      return;
    }
    expect(placed).to.deep.equal({ held: true });
    expect(await lotsOf(request.holdId)).to.deep.equal(lots);

    if (story.ends) await endPeriod(test.db, accountId);
    const held = lots.length > 0 ? expectedRows(before, start?.version ?? 0, request, [holdPosting(lots)]) : [];
    if (story.taken > 0) await takeBack(accountId, story.taken);
    const [middle] = await test.db.query<{ version: number }[]>(
      'select version from ledger_balances where account_id = $1',
      [accountId],
    );
    const between = await balancesOf(test.db, accountId);
    const open = lots.map((lot) => ({ ...lot, ended: lot.bucket === 'monthly' && story.ends }));
    const settlement = { holdId: request.holdId, chargePence: story.charge, faultIsOurs: story.faultIsOurs };
    const settle = () => move(story.inside, (db) => settleHold(db, settlement));
    const above = story.charge > story.amount;
    if (above) expect(await refusalOf(settle())).to.be.instanceOf(RangeError);
    const expected = settleLots(open, above ? 0 : story.charge, story.faultIsOurs);
    if (above) Object.assign(settlement, { chargePence: 0 });
    const { chargedPence, releasedPence } = expected;
    expect(await settle()).to.deep.equal({ chargedPence, releasedPence });

    const rows = expectedRows(between, middle?.version ?? 0, request, expected.postings);
    expect(await transfersOf(request.holdId)).to.deep.equal([...held, ...rows]);
    const last = rows.at(-1)?.after ?? between;
    expect(await balancesOf(test.db, accountId)).to.deep.equal(last);
    const [hold] = await test.db.query<Record<string, number>[]>(
      `select monthly_charged_pence, monthly_released_pence, wallet_charged_pence, wallet_released_pence from holds where id = $1`,
      [request.holdId],
    );
    const part = (bucket: Lot['bucket']) =>
      expected.lots[lots.findIndex((lot) => lot.bucket === bucket)] ?? { chargedPence: 0, releasedPence: 0 };
    expect(hold).to.deep.equal({
      monthly_charged_pence: part('monthly').chargedPence,
      monthly_released_pence: part('monthly').releasedPence,
      wallet_charged_pence: part('wallet').chargedPence,
      wallet_released_pence: part('wallet').releasedPence,
    });
  }

  it('do what the reference says, whatever there is, is held, charged and over', async () => {
    await fc.assert(fc.asyncProperty(scenario, play), { numRuns: 150 });
    // These holds belong to no job; everything else adds up.
    const found = await verifyLedger(test.db);
    expect([...new Set(found.map(({ check }) => check))]).to.satisfy((checks: string[]) =>
      checks.every((check) => check === 'open-hold-has-open-execution'),
    );
  });

  it('count what they lock after a wait, also where the balance of before it would not do', async () => {
    const { accountId } = await openCustomer(test.db, 50);
    const first = newHold(accountId, 50);
    await placeHold(test.db, first);
    const second = newHold(accountId, 45);
    const other = test.db.createQueryRunner();
    try {
      await other.startTransaction();
      await settleHold(other.manager, { holdId: first.holdId, chargePence: 1 });
      const waiting = placeHold(test.db, second);
      await until('the second hold waits', async () => {
        const rows = await test.db.query<unknown[]>(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return rows.length > 0;
      });
      await other.commitTransaction();
      expect(await waiting).to.deep.equal({ held: true });
    } finally {
      await other.release();
    }
    expect(await balancesOf(test.db, accountId)).to.include({ wallet: 4, wallet_held: 45 });
    await settleHold(test.db, { holdId: second.holdId, chargePence: 0 });
  });
});
