/**
 * The statements that move credits against the pure functions that define a movement: every hold and settlement writes
 * the lots, transfers and balances that `splitHold`, `holdPosting`, `settleLots` and `linesAt` compute.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';

import { HoldPartEntity, LedgerBalanceEntity } from '../../entities/ledger.ts';
import { holdPosting, isCustomerAccount, linesAt, settleLots, splitHold } from '../../src/domain/ledger.ts';
import type { Funds, Line, Lot, Posting, SettledLot } from '../../src/domain/ledger.ts';
import {
  extendHold,
  placeHold,
  postTransfers,
  settleHold,
  verifyLedger,
} from '../../src/services/ledger/index.ts';
import type { HoldRequest } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import type { Queryable } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { runsOf } from '../support/long.ts';
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
  /** The extensions of the hold; one that credits do not cover is refused. */
  extensions: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
  /** Before which extension another period begins, or the present one ends. */
  turnAt: fc.nat(4),
  turn: fc.constantFrom('nothing', 'ends', 'next begins', 'next begins early'),
  /** Whether the present period ends before the settlement. */
  ends: fc.boolean(),
  /** What is taken back between hold and settlement; what the wallet does not have becomes a debt. */
  taken: fc.option(fc.integer({ min: 1, max: 60 }), { nil: 0 }),
  /** Whether both movements share a transaction, or each has a transaction of its own. */
  inside: fc.boolean(),
});

type Story = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** A customer at one moment. */
interface Standing {
  readonly balances: Balances;
  readonly funds: Funds;
  readonly version: number;
}

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

  const lotsOf = async (holdId: string, part: number): Promise<Lot[]> => {
    const row = await test.db.getRepository(HoldPartEntity).findOneBy({ holdId, part });
    if (row === null) throw new Error('no such part');
    const lots: Lot[] = [
      { bucket: 'monthly', period: row.monthlyPeriod, amountPence: row.monthlyPence },
      { bucket: 'wallet', period: null, amountPence: row.walletPence },
    ];
    return lots.filter((lot) => lot.amountPence > 0);
  };

  /** The balances of a customer, with their version and the period that credits may be taken of. */
  const standing = async (accountId: string): Promise<Standing> => {
    const row = await test.db.getRepository(LedgerBalanceEntity).findOneByOrFail({ accountId });
    const isOpen = row.monthlyEndsAt !== null && row.monthlyEndsAt.getTime() > Date.now();
    const balances = await balancesOf(test.db, accountId);
    const funds = {
      walletPence: row.wallet,
      monthlyPence: isOpen ? row.monthly : 0,
      monthlyPeriod: isOpen ? row.monthlyPeriod : null,
    };
    return { balances, funds, version: row.version };
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
  function expectedRows(
    { balances, version }: Pick<Standing, 'balances' | 'version'>,
    { jobId, holdId }: HoldRequest,
    postings: readonly (Posting & { readonly key?: string })[],
  ) {
    let after = balances;
    return postings.map(({ kind, lines: asked, key = `settle/${holdId}/${kind}` }, index) => {
      const lines = linesAt(asked, after, false);
      after = withLines(after, lines);
      const row = { kind, key, version: version + index + 1, job: jobId, hold: holdId };
      return { ...row, lines: byAccount(lines), after };
    });
  }

  /** Places a part and compares it with the reference. Answers its lots and transfers; null when it was refused. */
  async function placePart(request: HoldRequest, part: number, amountPence: number, inside: boolean) {
    const before = await standing(request.accountId);
    const { funds } = before;
    const lots = splitHold(amountPence, funds);
    const { holdId } = request;
    const placed = await move(inside, (db) =>
      part === 0 ? placeHold(db, request) : extendHold(db, { holdId, part, amountPence }),
    );
    if (lots === null) {
      expect(placed).to.deep.equal({ held: false, availablePence: funds.walletPence + funds.monthlyPence });
      expect(await standing(request.accountId)).to.deep.equal(before);
      return null;
    }
    expect(placed).to.deep.equal({ held: true });
    expect(await lotsOf(holdId, part)).to.deep.equal(lots);
    const [kind, key] =
      part === 0
        ? (['hold', `hold/${holdId}`] as const)
        : (['hold_increase', `extend/${holdId}/${part}`] as const);
    const rows = expectedRows(
      before,
      request,
      lots.length === 0 ? [] : [{ ...holdPosting(lots, kind), key }],
    );
    return { lots, rows };
  }

  async function turnPeriod(accountId: string, turn: Story['turn']): Promise<void> {
    if (turn === 'ends' || turn === 'next begins') await endPeriod(test.db, accountId);
    if (turn === 'next begins' || turn === 'next begins early') await startPeriod(test.db, accountId, 25);
  }

  async function play(story: Story): Promise<void> {
    const { accountId } = await openCustomer(test.db, story.wallet);
    if (story.monthly > 0) await startPeriod(test.db, accountId, story.monthly);
    if (story.late) await endPeriod(test.db, accountId);
    const request = newHold(accountId, story.amount);
    const first = await placePart(request, 0, story.amount, story.inside);
    if (first === null) {
      expect(await transfersOf(request.holdId)).to.deep.equal([]);
      return;
    }
    const lots = [...first.lots];
    const placedRows = [...first.rows];
    let parts = 1;
    for (const [index, amountPence] of story.extensions.entries()) {
      if (index === story.turnAt) await turnPeriod(accountId, story.turn);
      const placed = await placePart(request, parts, amountPence, story.inside);
      if (placed === null) continue;
      parts += 1;
      lots.push(...placed.lots);
      placedRows.push(...placed.rows);
    }
    if (story.turnAt >= story.extensions.length) await turnPeriod(accountId, story.turn);
    if (story.ends) await endPeriod(test.db, accountId);
    if (story.taken > 0) await takeBack(accountId, story.taken);
    const between = await standing(accountId);
    const open = lots.map((lot) => ({
      ...lot,
      ended: lot.bucket === 'monthly' && lot.period !== between.funds.monthlyPeriod,
    }));
    const settlement = { holdId: request.holdId, chargePence: story.charge, faultIsOurs: story.faultIsOurs };
    const settle = () => move(story.inside, (db) => settleHold(db, settlement));
    const above = story.charge > lots.reduce((sum, lot) => sum + lot.amountPence, 0);
    if (above) expect(await refusalOf(settle())).to.be.instanceOf(RangeError);
    const expected = settleLots(open, above ? 0 : story.charge, story.faultIsOurs);
    if (above) Object.assign(settlement, { chargePence: 0 });
    const { chargedPence, releasedPence } = expected;
    expect(await settle()).to.deep.equal({ chargedPence, releasedPence });

    const rows = expectedRows(between, request, expected.postings);
    expect(await transfersOf(request.holdId)).to.deep.equal([...placedRows, ...rows]);
    const last = rows.at(-1)?.after ?? between.balances;
    expect(await balancesOf(test.db, accountId)).to.deep.equal(last);
    expect(await settledLots(request.holdId)).to.deep.equal(expected.lots);
  }

  /** What each lot of a hold was charged and gave back, in the order of the parts. */
  async function settledLots(holdId: string): Promise<SettledLot[]> {
    const parts = await test.db
      .getRepository(HoldPartEntity)
      .find({ where: { holdId }, order: { part: 'ASC' } });
    return parts.flatMap((part) => [
      ...(part.monthlyPence === 0
        ? []
        : [{ chargedPence: part.monthlyChargedPence, releasedPence: part.monthlyReleasedPence }]),
      ...(part.walletPence === 0
        ? []
        : [{ chargedPence: part.walletChargedPence, releasedPence: part.walletReleasedPence }]),
    ]);
  }

  it('take back every period of the balance and the lots that the reference takes', async () => {
    // A lot whose end has not come, of a period that another one has followed, joins none of them.
    const { accountId } = await openCustomer(test.db);
    await startPeriod(test.db, accountId, 2_000);
    const request = newHold(accountId, 2_000);
    await placeHold(test.db, request);
    await startPeriod(test.db, accountId, 2_000);
    await settleHold(test.db, { holdId: request.holdId, chargePence: 0 });
    expect(await balancesOf(test.db, accountId)).to.include({ monthly: 2_000, monthly_held: 0, wallet: 0 });
  });

  it('do what the reference says, whatever there is, is held, extended, charged and over', async () => {
    await fc.assert(fc.asyncProperty(scenario, play), { numRuns: runsOf(150) });
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

  it('have short conditions and checks, which PostgreSQL reads anew for each statement that writes', async () => {
    const read = await test.db.query<{ name: string; characters: number }[]>(
      `select tgname as name, length(tgqual::text) as characters from pg_trigger
       where tgqual is not null and tgrelid::regclass::text = any($1::text[])
       union all select conname, length(conbin::text) from pg_constraint
       where conbin is not null and conrelid::regclass::text = any($1::text[])`,
      [['holds', 'key_limits', 'ledger_balances', 'ledger_transfers']],
    );
    expect(read).to.not.have.length(0);
    expect(read.filter(({ characters }) => characters > 1_000)).to.deep.equal([]);
  });
});
