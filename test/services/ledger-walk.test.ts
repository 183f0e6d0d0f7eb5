/**
 * Random walks of the ledger: eight customers move at once, and after each step every identity of the books must hold.
 * `DOCKYARD_LEDGER_WALK_MOVES` gives longer walks, and `DOCKYARD_LEDGER_WALK_SEED` another one.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';

import { LedgerBalanceEntity } from '../../entities/ledger.ts';
import { AppError } from '../../src/domain/errors.ts';
import {
  endAllowance,
  extendHold,
  postTransfers,
  setLimits,
  verifyLedger,
} from '../../src/services/ledger/index.ts';
import type { HoldRequest, TransferInput } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import {
  admit,
  balancesOf,
  end,
  endPeriod,
  newHold,
  openCustomer,
  openKey,
  startPeriod,
} from '../support/ledger.ts';
import type { Customer } from '../support/ledger.ts';
import { expectStatementOfBalance } from '../support/statements.ts';

const CUSTOMERS = 8;
const MOVES = Number(process.env['DOCKYARD_LEDGER_WALK_MOVES'] ?? 160);
/** Each move is followed by an audit of all books, which grow with the walk. */
const MOST_MS_PER_MOVE = 100;
const SEED = Number(process.env['DOCKYARD_LEDGER_WALK_SEED'] ?? 20_261_122);

interface Walker extends Customer {
  readonly keyId: string;
  readonly open: { readonly request: HoldRequest; readonly parts: number; readonly pence: number }[];
}

const move = fc.record({
  kind: fc.constantFrom(
    ...([
      'reserve',
      'reserve',
      'reserve',
      'extend',
      'settle',
      'settle',
      'settle',
      'top-up',
      'top-up',
    ] as const),
    ...(['grant', 'refund', 'dispute', 'reinstated', 'allowance', 'expiry', 'plan ends', 'limits'] as const),
  ),
  pence: fc.integer({ min: 1, max: 120 }),
  pick: fc.nat(1_000),
  flag: fc.boolean(),
});
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

describe('a random walk of the ledger', function () {
  this.timeout(60_000 + MOVES * MOST_MS_PER_MOVE);
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase({ poolSize: CUSTOMERS });
  });
  after(() => test.close());

  const openWalker = async (): Promise<Walker> => {
    const customer = await openCustomer(test.db, 200);
    return { ...customer, keyId: await openKey(test.db, customer), open: [] };
  };
  const post = (
    transfer: Pick<TransferInput, 'kind' | 'accountId' | 'lines'> & { readonly mayOwe?: boolean },
  ) =>
    inTransaction(test.db, (tx) =>
      postTransfers(tx, [{ ...transfer, key: uuidv7(), description: transfer.kind }]),
    );
  const intoWallet = (
    { accountId }: Walker,
    kind: TransferInput['kind'],
    from: 'stripe_clearing' | 'bonus_expense',
    pence: number,
  ) =>
    post({
      ...{ kind, accountId, mayOwe: kind === 'dispute' },
      lines: [
        { account: 'wallet', amountPence: pence },
        { account: from, amountPence: -pence },
      ],
    });

  async function reserve(walker: Walker, { pence, flag }: Move): Promise<void> {
    const request = {
      ...newHold(walker.accountId, pence),
      ...(flag ? { keyId: walker.keyId } : {}),
    };
    const { held } = await inTransaction(test.db, (tx) => admit(tx, walker, request));
    if (held) walker.open.push({ request, parts: 0, pence });
  }

  /** A hold that is being extended is out of the reach of other moves, as a job extends its hold by one part after the other. */
  async function extend(walker: Walker, { pence, pick }: Move): Promise<void> {
    const [hold] = walker.open.splice(pick % Math.max(1, walker.open.length), 1);
    if (hold === undefined) return;
    const { holdId } = hold.request;
    const { held } = await extendHold(test.db, { holdId, part: hold.parts + 1, amountPence: pence });
    walker.open.push(held ? { ...hold, parts: hold.parts + 1, pence: hold.pence + pence } : hold);
  }

  async function settle(walker: Walker, { pence, pick, flag }: Move): Promise<void> {
    const [hold] = walker.open.splice(pick % Math.max(1, walker.open.length), 1);
    if (hold === undefined) return;
    const { holdId, jobId } = hold.request;
    const chargePence = Math.min(pence, hold.pence);
    const ending = { holdId, chargePence, faultIsOurs: flag };
    const settled = await inTransaction(test.db, (tx) => end(tx, jobId, ending));
    expect(settled).to.deep.equal({ chargedPence: chargePence, releasedPence: hold.pence - chargePence });
  }

  async function endPlan({ accountId }: Walker): Promise<void> {
    const { monthlyPeriod } = await test.db.getRepository(LedgerBalanceEntity).findOneByOrFail({ accountId });
    if (monthlyPeriod !== null)
      await inTransaction(test.db, (tx) => endAllowance(tx, accountId, monthlyPeriod));
  }

  async function limit({ accountId, keyId }: Walker, { pence, flag }: Move): Promise<void> {
    const limitPence = flag ? pence * 10 : null;
    await setLimits(test.db, accountId, {
      ...{ jobLimitPence: limitPence, monthLimitPence: flag ? pence * 40 : null },
      key: { keyId, monthLimitPence: limitPence },
    });
  }

  /** A refund takes what the wallet has, or is refused; a dispute takes all of it. */
  async function refund(walker: Walker, { pence }: Move): Promise<void> {
    try {
      await intoWallet(walker, 'refund', 'stripe_clearing', -pence);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }

  async function take(walker: Walker, step: Move): Promise<unknown> {
    const { accountId } = walker;
    switch (step.kind) {
      case 'reserve':
        return reserve(walker, step);
      case 'extend':
        return extend(walker, step);
      case 'settle':
        return settle(walker, step);
      case 'top-up':
        return intoWallet(walker, 'topup', 'stripe_clearing', step.pence);
      case 'grant':
        return intoWallet(walker, 'promo', 'bonus_expense', step.pence);
      case 'refund':
        return refund(walker, step);
      case 'dispute':
        return intoWallet(walker, 'dispute', 'stripe_clearing', -step.pence);
      case 'reinstated':
        return intoWallet(walker, 'dispute', 'stripe_clearing', step.pence);
      case 'allowance':
        return startPeriod(test.db, accountId, step.pence);
      case 'expiry':
        return endPeriod(test.db, accountId);
      case 'plan ends':
        return endPlan(walker);
      case 'limits':
        return limit(walker, step);
      default:
        return step.kind satisfies never;
    }
  }

  it(`keeps every identity after each step, over ${MOVES} moves of ${CUSTOMERS} customers at once`, async () => {
    const walkers = await Promise.all(Array.from({ length: CUSTOMERS }, openWalker));
    const moves = fc.sample(move, { numRuns: MOVES, seed: SEED });
    let indebted = 0;
    for (let from = 0; from < moves.length; from += CUSTOMERS) {
      await Promise.all(
        moves.slice(from, from + CUSTOMERS).map(async (step, index) => {
          // Two customers in turn take part with two moves each, so that moves of one customer meet, too.
          const walker = walkers[(from + index - (index % 2)) % CUSTOMERS];
          if (walker !== undefined) await take(walker, step);
        }),
      );
      expect(await verifyLedger(test.db), `seed ${SEED}, after move ${from + CUSTOMERS}`).to.deep.equal([]);
      for (const { accountId } of walkers)
        indebted += (await balancesOf(test.db, accountId)).debt < 0 ? 1 : 0;
    }
    for (const { accountId } of walkers) await expectStatementOfBalance(test.db, accountId);
    // A walk without debts, refusals and several parts shows nothing about them.
    expect(indebted).to.be.above(0);
    const [seen] = await test.db.query<{ parts: number; periods: number }[]>(
      'select max(extensions) as parts, (select count(*) from allowance_periods) as periods from holds',
    );
    expect(seen?.parts).to.be.above(0);
    expect(seen?.periods).to.be.above(CUSTOMERS);
    const [charges] = await test.db.query<{ books: number; holds: number }[]>(
      `select (select coalesce(sum(amount_pence), 0) from ledger_entries where account = 'revenue')::bigint as books,
         (select coalesce(sum(charged_pence), 0) from holds)::bigint as holds`,
    );
    expect(charges?.books).to.equal(charges?.holds);
  });
});
