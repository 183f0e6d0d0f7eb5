/** Statements on a real ledger: months, their bounds, and statements of any length. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect } from 'chai';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';

import { statementText } from '../../src/domain/statement.ts';
import { openStatement } from '../../src/services/statements.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { admit, end, give, newHold, openCustomer, startPeriod } from '../support/ledger.ts';
import { IS_LONG } from '../support/long.ts';
import { codeOf } from '../support/refusals.ts';
import { expectStatementOfBalance, readStatement } from '../support/statements.ts';

const LINES = IS_LONG ? 100_000 : 20_000;
const THIS_MONTH = new Date().toISOString().slice(0, 7);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes of what is still in use. */
function liveBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('statements', () => {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase();
  });
  after(() => test.close());

  /** Puts the transfers of an account at these times, in their order, and its beginning before the first of them. */
  const dated = async (accountId: string, times: readonly string[]): Promise<void> => {
    await test.tamper(
      `update ledger_transfers t set created_at = d.at from unnest($2::timestamptz[]) with ordinality d(at, version)
       where t.account_id = $1 and t.version = d.version`,
      [accountId, times],
    );
    await test.tamper('update accounts set created_at = $2 where id = $1', [accountId, times[0]]);
  };

  it('of a new account have no movement, and months that there is nothing of are not found', async () => {
    const { accountId } = await openCustomer(test.db);
    const [only, ...others] = await expectStatementOfBalance(test.db, accountId);
    expect(others).to.deep.equal([]);
    expect(only).to.deep.include({ month: THIS_MONTH, final: false, lines: [] });
    for (const month of ['2020-01', '2999-12'])
      expect(await codeOf(openStatement(test.db, accountId, month))).to.equal('NOT_FOUND');
    expect(await codeOf(openStatement(test.db, uuidv7(), THIS_MONTH))).to.equal('NOT_FOUND');
  });

  it('have each movement in the month of its UTC time, to the microsecond', async () => {
    const { accountId } = await openCustomer(test.db);
    for (const pence of [1, 10, 100, 1000]) await give(test.db, accountId, pence);
    await dated(accountId, [
      ...['2026-01-31T23:59:59.999999Z', '2026-02-01T00:00:00Z'],
      ...['2026-02-28T23:59:59.999999Z', '2026-03-01T00:00:00Z'],
    ]);
    const all = await expectStatementOfBalance(test.db, accountId);
    const sums = all.map(({ month, final, lines, closing }) => [
      month,
      final,
      lines.length,
      closing.wallet_cents,
    ]);
    expect(sums.slice(0, 4)).to.deep.equal([
      ['2026-01', true, 1, 1],
      ['2026-02', true, 2, 111],
      ['2026-03', true, 1, 1111],
      ['2026-04', true, 0, 1111],
    ]);
  });

  it('come to the balance whatever is held, charged and given back, and whenever', async () => {
    const gaps = fc.array(fc.nat(40), { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 4 }),
        gaps,
        async (jobs, days) => {
          const customer = await openCustomer(test.db, 300);
          await startPeriod(test.db, customer.accountId, 50);
          for (const [index, pence] of jobs.entries()) {
            const request = newHold(customer.accountId, pence);
            await inTransaction(test.db, (tx) => admit(tx, customer, request));
            if (index % 2 === 1) continue;
            const ending = { holdId: request.holdId, chargePence: Math.floor(pence / 2), faultIsOurs: false };
            await inTransaction(test.db, (tx) => end(tx, request.jobId, ending));
          }
          let at = Date.parse('2025-11-01T00:00:00Z');
          await dated(
            customer.accountId,
            days.map((gap) => new Date((at += gap * 86_400_000)).toISOString()),
          );
          const all = await expectStatementOfBalance(test.db, customer.accountId);
          expect(all.flatMap(({ lines }) => lines)).to.have.length.above(3);
        },
      ),
      { numRuns: 8, seed: 20_261_123 },
    );
  });

  it('of one account have nothing of another, also where both have the same month', async () => {
    const [one, other] = [await openCustomer(test.db, 5), await openCustomer(test.db, 7)];
    expect((await readStatement(test.db, one.accountId, THIS_MONTH)).closing.wallet_cents).to.equal(5);
    expect((await readStatement(test.db, other.accountId, THIS_MONTH)).closing.wallet_cents).to.equal(7);
  });

  it('of many lines begin before their lines are read, come in pages, and are kept nowhere', async function () {
    this.timeout(240_000);
    const { accountId } = await openCustomer(test.db);
    await test.tamper(
      `insert into ledger_transfers (id, account_id, version, kind, idempotency_key, input_sha256, description, accounts,
         amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after, debt_after, created_at)
       select gen_random_uuid(), $1, n, 'promo', 'many/' || n, 'x', '=1+1, gift ' || n, '{wallet,bonus_expense}', '{1,-1}', n, 0, 0, 0, 0,
         date_trunc('month', now()) + n * interval '1 microsecond' from generate_series(1, $2::int) n`,
      [accountId, LINES],
    );
    await test.tamper(
      'update ledger_balances set wallet = $2::int, version = $2::int where account_id = $1',
      [accountId, LINES],
    );
    await test.tamper('analyze ledger_transfers');
    const statement = await openStatement(test.db, accountId, THIS_MONTH);
    let pagesRead = 0;
    const counted = async function* (): typeof statement.pages {
      for await (const page of statement.pages) {
        pagesRead += 1;
        yield page;
      }
    };
    const pieces = statementText({ ...statement, pages: counted() }, 'csv');
    const first = await pieces.next();
    expect(pagesRead, 'pages that were read before the first piece').to.equal(0);
    expect(first.value).to.match(/^created_at,.*\r\n,opening,,,,,,0,0,0,0,0,\r\n$/);
    let [lines, most, memory, pages] = [0, 0, 0, 0];
    const before = liveBytes();
    let last = '';
    for await (const piece of pieces) {
      lines += piece.split('\r\n').length - 1;
      most = Math.max(most, piece.length);
      pages += 1;
      if (pages % 50 === 0) memory = Math.max(memory, liveBytes() - before);
      last = piece;
    }
    expect(lines).to.equal(LINES + 1);
    expect(last).to.equal(`,closing,,,,,,${LINES},0,0,0,0,\r\n`);
    expect(most).to.be.below(50_000);
    expect(pagesRead).to.equal(pages - 1);
    expect(pages).to.be.above(LINES / 1_000);
    expect(memory).to.be.below(5 * 1024 * 1024);
    expect(await readStatement(test.db, accountId, THIS_MONTH))
      .to.have.property('lines')
      .with.length(LINES);
  });
});
