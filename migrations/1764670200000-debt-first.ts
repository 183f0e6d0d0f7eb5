import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A wallet has credits only while nothing is owed: whatever reaches the wallet pays the debt first. Credits that stand
 * beside a debt pay it here, each customer's by a transfer like any other.
 */
export class DebtFirst1764670200000 implements MigrationInterface {
  name = 'DebtFirst1764670200000';

  /** Pays what is owed where there is something in the wallet; then the database keeps it so. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      PAY,
      `alter table ledger_balances drop constraint ledger_balances_signs,
        add constraint ledger_balances_signs
          check (least(wallet_held, monthly, monthly_held, version) >= 0 and least(wallet, -debt) = 0)`,
    ])
      await runner.query(sql);
  }

  /** Takes the rule away. What was paid stays paid, because transfers are never taken back. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table ledger_balances drop constraint ledger_balances_signs,
        add constraint ledger_balances_signs check (least(wallet, wallet_held, monthly, monthly_held, -debt, version) >= 0);
    `);
  }
}

const PAY = `
  with paid as (
    update ledger_balances set wallet = wallet - least(wallet, -debt), debt = debt + least(wallet, -debt), version = version + 1
    where wallet > 0 and debt < 0
    returning *
  ), owed as (
    select b.account_id, least(b.wallet, -b.debt) as pence from ledger_balances b where b.wallet > 0 and b.debt < 0
  )
  insert into ledger_transfers (id, account_id, version, kind, idempotency_key, input_sha256, description, accounts,
    amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after, debt_after, created_at)
  select gen_random_uuid(), p.account_id, p.version, 'adjustment', 'debt-first/' || p.account_id || '/' || p.version, '',
    'What was owed, paid from the wallet', '{wallet,debt}', array[-o.pence, o.pence],
    p.wallet, p.wallet_held, p.monthly, p.monthly_held, p.debt, clock_timestamp()
  from paid p join owed o using (account_id)`;
