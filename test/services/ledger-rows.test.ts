/** The migration to few rows for each movement: stored data are converted, and converted back, to the penny. */
import { expect } from 'chai';

import { createDatabase, revertMigration, runMigrations } from '../../src/adapters/database.ts';
import { placeHold, settleHold, verifyLedger } from '../../src/services/ledger/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { balancesOf, endPeriod, newHold, openCustomer, startPeriod } from '../support/ledger.ts';

const NAME = 'LedgerRows1764100000000';

describe('the migration of the ledger to few rows', () => {
  it('converts balances, transfers, entries, holds and lots there and back', async () => {
    const url = await createTestDatabase();
    const db = await createDatabase(url, { poolSize: 2 });
    try {
      const rich = await openCustomer(db, 500);
      await openCustomer(db);
      const ended = await openCustomer(db, 9);
      for (const { accountId } of [rich, ended]) {
        await startPeriod(db, accountId, 30);
        const settled = newHold(accountId, 35);
        await placeHold(db, settled);
        if (accountId === ended.accountId) await endPeriod(db, accountId);
        await settleHold(db, { holdId: settled.holdId, chargePence: 12 });
      }
      for (const pence of [0, 7, 40]) await placeHold(db, newHold(rich.accountId, pence));

      const everything = (): Promise<unknown> =>
        // The ids of allowance periods are made anew.
        db.query(`select 'balance' as what, to_jsonb(b) - 'monthly_period' as row from ledger_balances b
          union all select 'transfer', to_jsonb(t) from ledger_transfers t
          union all select 'entry', to_jsonb(e) from ledger_entries e
          union all select 'hold', to_jsonb(h) - 'monthly_period' || jsonb_build_object('ends', p.ends_at)
            from holds h left join allowance_periods p on p.id = h.monthly_period order by 1, 2`);
      const before = await everything();
      const balances = await balancesOf(db, rich.accountId);

      // Newer migrations are taken back first.
      const newer = await db.query<unknown[]>(
        'select 1 from migrations where id >= (select id from migrations where name = $1)',
        [NAME],
      );
      await revertMigration(url, newer.length);
      const old = await db.query<{ kind: string; pence: number }[]>(
        'select kind, balance_pence as pence from ledger_accounts where account_id = $1',
        [rich.accountId],
      );
      expect(Object.fromEntries(old.map(({ kind, pence }) => [kind, pence]))).to.deep.equal(balances);
      const [sums] = await db.query<Record<string, number>[]>(
        `select (select count(*) from ledger_entries) as entries, (select sum(amount_pence) from ledger_entries)::int as total,
           (select count(*) from hold_lots) as lots, (select count(*) from ledger_accounts where account_id is null) as service,
           (select count(*) from ledger_accounts a where a.account_id is not null and (a.balance_pence, a.version) <>
             (select coalesce(sum(amount_pence), 0), count(*) from ledger_entries e where e.ledger_account_id = a.id)) as wrong,
           (select count(*) from ledger_entries e join ledger_accounts a on a.id = e.ledger_account_id where a.account_id is not null
             and e.balance_after_pence is distinct from (select sum(amount_pence) from ledger_entries o
               where o.ledger_account_id = e.ledger_account_id and o.version <= e.version)) as astray`,
      );
      expect(sums).to.deep.equal({ entries: 34, total: 0, lots: 7, service: 7, wrong: 0, astray: 0 });

      expect(await runMigrations(url)).to.include(NAME);
      expect(await everything()).to.deep.equal(before);
      const checks = (await verifyLedger(db)).map(({ check }) => check);
      // These holds belong to no job.
      expect(checks.filter((check) => check !== 'open-hold-has-open-execution')).to.deep.equal([]);
    } finally {
      await db.destroy();
    }
  });
});
