/** The migrations of the ledger over rows that were there before: converted to the penny, and given back. */
import { expect } from 'chai';

import { createDatabase, revertMigration, runMigrations } from '../../src/adapters/database.ts';
import type { Database } from '../../src/adapters/database.ts';
import { extendHold, setLimits, settleHold, verifyLedger } from '../../src/services/ledger/index.ts';
import { createTestDatabase } from '../support/database.ts';
import { balancesOf } from '../support/ledger.ts';

const ACCOUNT = 'a0000000-0000-0000-0000-000000000001';

/** Takes migrations back, newest first, until the named one is not there. */
async function goBack(url: string, db: Database, name: string): Promise<void> {
  const newer = await db.query<unknown[]>(
    'select 1 from migrations where id >= (select id from migrations where name = $1)',
    [name],
  );
  await revertMigration(url, newer.length);
}

/** Runs `work` on a database with all migrations before the named one. */
async function withMigrationsBefore(
  name: string,
  work: (db: Database, url: string) => Promise<void>,
): Promise<void> {
  const url = await createTestDatabase();
  const db = await createDatabase(url, { poolSize: 2 });
  try {
    await goBack(url, db, name);
    await db.query('insert into accounts (id) values ($1)', [ACCOUNT]);
    await work(db, url);
  } finally {
    await db.destroy();
  }
}

/** The SQL of a transfer with these lines and the balances after it. */
function transferRow(
  version: number,
  kind: string,
  amounts: Readonly<Record<string, number>>,
  after: { readonly wallet: number; readonly debt: number; readonly monthly?: number },
): string {
  return `insert into ledger_transfers (id, account_id, version, kind, idempotency_key, input_sha256, description, accounts,
      amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after, debt_after)
    values (gen_random_uuid(), '${ACCOUNT}', ${version}, '${kind}', 'key-${version}', '', '', '{${Object.keys(amounts).join()}}',
      '{${Object.values(amounts).join()}}', ${after.wallet}, 0, ${after.monthly ?? 0}, 0, ${after.debt})`;
}

const lines = (db: Database): Promise<Record<string, unknown>[]> =>
  db.query(
    `select t.version, (select jsonb_object_agg(account, amount_pence) from ledger_entries where transfer_id = t.id) as lines,
       t.wallet_after as wallet, t.debt_after as debt from ledger_transfers t order by t.version`,
  );
/** What is broken. The holds of these tests belong to no job. */
const unsound = async (db: Database): Promise<string[]> =>
  (await verifyLedger(db))
    .filter(({ check }) => check !== 'open-hold-has-open-execution')
    .map(({ check, detail }) => `${check}: ${detail}`);

describe('the migrations of the ledger', () => {
  it('turn a debt into a receivable, and back: each transfer sums to zero, wallet and payments stay', async () => {
    await withMigrationsBefore('DebtReceivable1764670100000', async (db, url) => {
      await db.query(
        'insert into ledger_balances (account_id, wallet, debt, version) values ($1, 0, 150, 4)',
        [ACCOUNT],
      );
      await db.query(
        transferRow(1, 'topup', { stripe_clearing: -300, wallet: 300 }, { wallet: 300, debt: 0 }),
      );
      // Two ways in which a debt could be made to balance, and one in which it was paid.
      const taken = { stripe_clearing: 1000, wallet: -300, debt: 700, adjustments: -1400 };
      await db.query(transferRow(2, 'refund', taken, { wallet: 0, debt: 700 }));
      await db.query(transferRow(3, 'dispute', { debt: 50, refunds: -50 }, { wallet: 0, debt: 750 }));
      await db.query(transferRow(4, 'adjustment', { debt: -600, revenue: 600 }, { wallet: 0, debt: 150 }));
      const original = await lines(db);

      await runMigrations(url);
      expect(await lines(db)).to.deep.equal([
        { version: 1, lines: { stripe_clearing: -300, wallet: 300 }, wallet: 300, debt: 0 },
        { version: 2, lines: { stripe_clearing: 1000, wallet: -300, debt: -700 }, wallet: 0, debt: -700 },
        { version: 3, lines: { debt: -50, refunds: -50, adjustments: 100 }, wallet: 0, debt: -750 },
        { version: 4, lines: { debt: 600, revenue: 600, adjustments: -1200 }, wallet: 0, debt: -150 },
      ]);
      expect(await unsound(db)).to.deep.equal([]);

      await goBack(url, db, 'DebtReceivable1764670100000');
      expect(await lines(db)).to.deep.equal(original);
      expect(await db.query('select debt from ledger_balances')).to.deep.equal([{ debt: 150 }]);
      await runMigrations(url);
      expect(await unsound(db)).to.deep.equal([]);
    });
  });

  it('pay what is owed from credits that stand beside it', async () => {
    await withMigrationsBefore('DebtFirst1764670200000', async (db, url) => {
      await db.query(
        'insert into ledger_balances (account_id, wallet, debt, version) values ($1, 300, -200, 2)',
        [ACCOUNT],
      );
      await db.query(
        transferRow(1, 'topup', { stripe_clearing: -300, wallet: 300 }, { wallet: 300, debt: 0 }),
      );
      await db.query(transferRow(2, 'dispute', { refunds: 200, debt: -200 }, { wallet: 300, debt: -200 }));
      await runMigrations(url);
      expect((await lines(db)).slice(2)).to.deep.equal([
        { version: 3, lines: { wallet: -200, debt: 200 }, wallet: 100, debt: 0 },
      ]);
      expect(await unsound(db)).to.deep.equal([]);
      // What was paid stays paid when the rule is taken away, and is not paid again.
      await goBack(url, db, 'DebtFirst1764670200000');
      await runMigrations(url);
      expect(await lines(db)).to.have.length(3);
      expect(await unsound(db)).to.deep.equal([]);
    });
  });

  it('give each end of a month that balances and open holds name a period, and the parts of a hold back as one', async () => {
    await withMigrationsBefore('AllowancePeriods1764670300000', async (db, url) => {
      const holds = [1, 2].map((n) => `b0000000-0000-0000-0000-00000000000${n}`);
      const [first = '', second = ''] = holds;
      const place = (id: string, pence: number) =>
        db.query(`select ledger_place_hold($1, $2, gen_random_uuid(), 1, $3, gen_random_uuid(), '')`, [
          id,
          ACCOUNT,
          pence,
        ]);
      await db.query(
        `insert into ledger_balances (account_id, wallet, monthly, version, monthly_ends_at) values ($1, 100, 50, 2, '2100-01-01Z')`,
        [ACCOUNT],
      );
      await db.query(transferRow(1, 'promo', { wallet: 100, bonus_expense: -100 }, { wallet: 100, debt: 0 }));
      const granted = { monthly: 50, monthly_issued: -50 };
      await db.query(transferRow(2, 'monthly_grant', granted, { wallet: 100, debt: 0, monthly: 50 }));
      await place(first, 40);
      await db.query(`update ledger_balances set monthly_ends_at = '2100-02-01Z'`);
      await place(second, 15);
      const ends = `select id, monthly_pence as monthly, wallet_pence as wallet, extract(month from monthly_ends_at at time zone 'UTC')::int as month
        from holds order by id`;
      const original = await db.query<unknown[]>(ends);
      const NO_MOVE = { wallet: 95, wallet_held: 5, monthly: 0, monthly_held: 50, debt: 0 };

      await runMigrations(url);
      expect(await unsound(db)).to.deep.equal([]);
      expect(await balancesOf(db, ACCOUNT)).to.deep.equal(NO_MOVE);
      const periods = await db.query<unknown[]>(
        `select p.granted_pence as granted, h.id as hold, p.id = b.monthly_period as present
         from allowance_periods p join holds h on h.monthly_period = p.id join ledger_balances b on b.account_id = p.account_id order by p.ends_at`,
      );
      expect(periods).to.deep.equal([
        { granted: 40, hold: first, present: false },
        { granted: 10, hold: second, present: true },
      ]);

      await goBack(url, db, 'AllowancePeriods1764670300000');
      expect(await db.query(ends)).to.deep.equal(original);
      await runMigrations(url);
      expect(await extendHold(db, { holdId: second, part: 1, amountPence: 20 })).to.deep.equal({
        held: true,
      });
      await goBack(url, db, 'AllowancePeriods1764670300000');
      expect(await db.query<Record<string, unknown>[]>(ends)).to.deep.include({
        ...{ id: second, monthly: 10, wallet: 25, month: 2 },
      });
      await runMigrations(url);
      expect(await unsound(db)).to.deep.equal([]);

      // The first hold is of a month that another one has followed: its rest joins no other month.
      await settleHold(db, { holdId: first, chargePence: 1 });
      await settleHold(db, { holdId: second, chargePence: 1 });
      expect(await balancesOf(db, ACCOUNT)).to.deep.equal({
        ...{ wallet: 100, wallet_held: 0, monthly: 9, monthly_held: 0, debt: 0 },
      });
      expect(await unsound(db)).to.deep.equal([]);
    });
  });

  it('count what was charged in this month, and give the holds of before the keys of their jobs', async () => {
    await withMigrationsBefore('AllowancePeriods1764670300000', async (db, url) => {
      const key = 'c0000000-0000-0000-0000-000000000001';
      await db.query(`insert into users (id, account_id, email) values ($1, $1, 'a@example.com')`, [ACCOUNT]);
      await db.query(
        `insert into api_keys (id, account_id, user_id, name, environment, scopes, secret_sha256, prefix, last4)
         values ($1, $2, $2, 'A key', 'live', '{jobs:write}', 's', 'svc_live_ab', 'wxyz')`,
        [key, ACCOUNT],
      );
      await db.query('insert into ledger_balances (account_id, wallet, version) values ($1, 100, 1)', [
        ACCOUNT,
      ]);
      await db.query(transferRow(1, 'promo', { wallet: 100, bonus_expense: -100 }, { wallet: 100, debt: 0 }));
      for (const [n, charge] of [
        [1, 7],
        [2, null],
      ] as const) {
        const id = `b0000000-0000-0000-0000-00000000000${n}`;
        await db.query(
          `insert into jobs (id, account_id, user_id, job_type, tool_id, provider, status, request, fingerprint, submit_response,
             first_run_id, unit, task_total, caller_kind, caller_id)
           values ($1, $2, $2, 'simulation', 'noop', 'local', $3, '{}', '', '{}', '', 'task', 1, 'key', $4)`,
          [id, ACCOUNT, charge === null ? 'RUNNING' : 'SUCCEEDED', key],
        );
        await db.query(`select ledger_place_hold($1, $2, $1, 1, 30, gen_random_uuid(), '')`, [id, ACCOUNT]);
        await db.query(
          `insert into job_executions (job_id, n, hold_id, quote, estimated_micro, currency, price_book_version, fx_rate_micro,
             settled_at) values ($1, 1, $1, '{}', 0, 'GBP', '', 1, $2)`,
          [id, charge === null ? null : new Date()],
        );
        if (charge !== null)
          await db.query(
            `select ledger_settle_hold($1, $2, false, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '')`,
            [id, charge],
          );
      }
      await runMigrations(url);
      expect(await unsound(db)).to.deep.equal([]);
      const [balance] = await db.query<unknown[]>(
        `select month_charged_pence as charged, month = date_trunc('month', timezone('UTC', now())) as now from ledger_balances`,
      );
      expect(balance).to.deep.equal({ charged: 7, now: true });
      await setLimits(db, ACCOUNT, { key: { keyId: key, monthLimitPence: 40 } });
      expect(await unsound(db)).to.deep.equal([]);
      await settleHold(db, { holdId: 'b0000000-0000-0000-0000-000000000002', chargePence: 5 });
      const [counted] = await db.query<unknown[]>(
        'select held_pence as held, month_charged_pence as charged from key_limits',
      );
      expect(counted).to.deep.equal({ held: 0, charged: 12 });
    });
  });

  it("bring keys that took each other's place before to one limit, which counts what all of them used", async () => {
    await withMigrationsBefore('KeyLines1765040100000', async (db, url) => {
      const [first, second, third, alone] = [1, 2, 3, 4].map(
        (n) => `c0000000-0000-0000-0000-00000000000${n}`,
      );
      await db.query(`insert into users (id, account_id, email) values ($1, $1, 'a@example.com')`, [ACCOUNT]);
      await db.query('insert into ledger_balances (account_id, wallet, version) values ($1, 100, 1)', [
        ACCOUNT,
      ]);
      await db.query(transferRow(1, 'promo', { wallet: 100, bonus_expense: -100 }, { wallet: 100, debt: 0 }));
      for (const [n, key] of [first, second, third, alone].entries()) {
        await db.query(
          `insert into api_keys (id, account_id, user_id, name, environment, scopes, secret_sha256, prefix, last4, created_at)
           values ($1, $2, $2, 'A key', 'live', '{jobs:write}', $3, 'svc_live_ab', 'wxyz', now() + make_interval(secs => $4))`,
          [key, ACCOUNT, `s${n}`, n],
        );
        const id = `b0000000-0000-0000-0000-00000000000${n}`;
        await db.query(`select ledger_reserve($1, $2, $1, 1, $3, 20, gen_random_uuid(), '')`, [
          ...[id, ACCOUNT, key],
        ]);
      }
      for (const [former, successor] of [
        [first, second],
        [second, third],
      ])
        await db.query(
          `insert into audit_log (id, account_id, author_kind, action, subject, after)
           values (gen_random_uuid(), $1, 'session', 'key.rotated', $2, jsonb_build_object('successor', $3::text))`,
          [ACCOUNT, former, successor],
        );
      await db.query(
        `insert into key_limits (key_id, account_id, month_limit_pence, held_pence, month, month_charged_pence)
         select key, $2, pence, 20, date_trunc('month', timezone('UTC', now()))::date, 0
         from unnest($1::uuid[], array[90, 80, 70]::bigint[]) as given (key, pence)`,
        [[second, third, alone], ACCOUNT],
      );
      await db.query('update ledger_balances set key_limits = true');
      expect(await unsound(db)).to.deep.equal([]);

      await runMigrations(url);
      const limits = (): Promise<unknown[]> =>
        db.query(
          'select key_id as key, month_limit_pence as pence, held_pence as held from key_limits order by 1',
        );
      expect(await limits()).to.deep.equal([
        { key: first, pence: 80, held: 60 },
        { key: alone, pence: 70, held: 20 },
      ]);
      expect(await unsound(db)).to.deep.equal([]);
      await settleHold(db, { holdId: 'b0000000-0000-0000-0000-000000000002', chargePence: 5 });
      expect(await unsound(db)).to.deep.equal([]);

      await goBack(url, db, 'KeyLines1765040100000');
      expect(await limits()).to.deep.equal([
        { key: first, pence: 80, held: 40 },
        ...[second, third].map((key) => ({ key, pence: 80, held: 0 })),
        { key: alone, pence: 70, held: 20 },
      ]);
    });
  });
});
