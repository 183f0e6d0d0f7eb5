/** Truths about every statement: its lines come from one balance to the other, and the last closing is the balance. */
import { expect } from 'chai';

import { LedgerBalanceEntity } from '../../entities/ledger.ts';
import type { Database } from '../../src/adapters/database.ts';
import { wholeStatement } from '../../src/domain/statement.ts';
import type { StatementBalances } from '../../src/domain/statement.ts';
import { listStatements, openStatement } from '../../src/services/statements.ts';
import type { StatementResponse } from '../../src/domain/answers.ts';

/** The five balances of a statement. */
export const NAMES = [
  ...(['wallet_cents', 'wallet_held_cents', 'monthly_cents', 'monthly_held_cents', 'debt_cents'] as const),
];

/** A statement as a whole. */
export async function readStatement(
  db: Database,
  accountId: string,
  month: string,
): Promise<StatementResponse> {
  return wholeStatement(await openStatement(db, accountId, month));
}

/** The statements of all months, oldest first, after the proof that they add up to the balances of the account. */
export async function expectStatementOfBalance(
  db: Database,
  accountId: string,
): Promise<StatementResponse[]> {
  const { statements } = await listStatements(db, accountId);
  let before: StatementBalances = Object.fromEntries(NAMES.map((name) => [name, 0])) as never;
  const all: StatementResponse[] = [];
  for (const { month, closing, final } of statements.toReversed()) {
    const statement = await readStatement(db, accountId, month);
    expect(statement).to.deep.include({ month, closing, final, opening: before, currency: 'GBP' });
    for (const name of NAMES) {
      const sum = statement.lines.reduce((total, line) => total + line[name], statement.opening[name]);
      expect(sum, `${name} of ${month}`).to.equal(closing[name]);
    }
    expect(statement.lines.every(({ created_at: at }) => at.startsWith(month))).to.equal(true);
    before = closing;
    all.push(statement);
  }
  const row = await db.getRepository(LedgerBalanceEntity).findOneByOrFail({ accountId });
  expect(before).to.deep.equal({
    ...{ wallet_cents: row.wallet, wallet_held_cents: row.walletHeld, monthly_cents: row.monthly },
    ...{ monthly_held_cents: row.monthlyHeld, debt_cents: Math.abs(row.debt) },
  });
  return all;
}
