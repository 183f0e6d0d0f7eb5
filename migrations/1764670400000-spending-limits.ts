import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Cost limits: per job, per UTC month of an account, per UTC month of an API key. The limits of an account, and what the
 * account was charged in its month, stand in the row of its balances, so that a hold is compared with them under the lock
 * that it takes anyway. What an account holds is in the row already.
 *
 * A key has a row of counters from the moment that it gets a limit; holds of other keys count nothing. `holds.key_id` is
 * the key that a hold was placed for: a settlement knows its hold alone. `jobs.caller_id` says the same of the job, which is
 * written after its hold; so the holds of before get their keys from there.
 */
export class SpendingLimits1764670400000 implements MigrationInterface {
  name = 'SpendingLimits1764670400000';

  /** Adds limits and counters, and counts what was charged in the present month. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table ledger_balances add column job_limit_pence bigint, add column month_limit_pence bigint, add column month date,
        add column month_charged_pence bigint not null default 0, add column key_limits boolean not null default false;
      update ledger_balances b set month = c.month, month_charged_pence = c.pence
      from (
        select account_id, date_trunc('month', timezone('UTC', created_at))::date as month, sum(amount_pence) as pence
        from ledger_entries
        where kind = 'charge' and account = 'revenue' and created_at >= timezone('UTC', date_trunc('month', timezone('UTC', now())))
        group by 1, 2) c
      where c.account_id = b.account_id;
      alter table ledger_balances drop constraint ledger_balances_signs,
        add constraint ledger_balances_signs check (least(wallet, -debt) = 0
          and least(wallet_held, monthly, monthly_held, version, job_limit_pence, month_limit_pence, month_charged_pence) >= 0);
      create table key_limits (
        key_id uuid primary key references api_keys on delete cascade,
        account_id uuid not null references accounts,
        month_limit_pence bigint not null,
        held_pence bigint not null,
        month date not null,
        month_charged_pence bigint not null,
        check (least(month_limit_pence, held_pence, month_charged_pence) >= 0)
      ) with (fillfactor = 50);
      alter table holds add column key_id uuid;
      update holds h set key_id = j.caller_id from jobs j where j.id = h.job_id and j.caller_kind = 'key';
    `);
  }

  /** Takes limits and counters away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table holds drop column key_id;
      drop table key_limits;
      alter table ledger_balances drop constraint ledger_balances_signs,
        drop column job_limit_pence, drop column month_limit_pence, drop column month, drop column month_charged_pence,
        drop column key_limits,
        add constraint ledger_balances_signs
          check (least(wallet_held, monthly, monthly_held, version) >= 0 and least(wallet, -debt) = 0);
    `);
  }
}
