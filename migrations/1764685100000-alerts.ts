import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `alerts`: a row for each step of a limit that was crossed, and for each time that the balance fell below what its owner set.
 * Triggers write the rows in the transaction of the movement, so that no crossing is lost, and a unique key keeps each crossing from
 * being written twice. A trigger fires at a crossing only: an account without limits pays for one comparison.
 *
 * `alert_mails`: the mails of an alert, one for each owner. `notification_settings`: which mails an account wants.
 */
export class Alerts1764685100000 implements MigrationInterface {
  name = 'Alerts1764685100000';

  /** Adds tables, functions and triggers. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TABLES, WRITE, ...OF_ACCOUNTS, ...OF_KEYS, ...OF_BALANCES]) await runner.query(sql);
  }

  /** Takes them away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger ledger_balances_low on ledger_balances;
      drop trigger key_limits_crossed_at_once on key_limits;
      drop trigger key_limits_crossed on key_limits;
      drop trigger ledger_balances_crossed on ledger_balances;
      drop function alert_of_balance, alert_of_key, alert_of_account, write_alerts;
      drop table notification_settings; drop table alert_mails; drop table alerts;
      alter table ledger_balances drop column low_balance_pence;
    `);
  }
}

const TABLES = `
  alter table ledger_balances add column low_balance_pence bigint check (low_balance_pence >= 0);
  create table alerts (
    id uuid primary key default gen_random_uuid(),
    account_id uuid not null references accounts,
    kind text not null check (kind in ('account-limit', 'key-limit', 'low-balance')),
    subject uuid not null,
    period date not null,
    threshold integer not null,
    limit_pence bigint not null,
    reached_pence bigint not null,
    mail_due boolean not null,
    created_at timestamptz not null default clock_timestamp(),
    unique (kind, subject, period, limit_pence, threshold)
  );
  create index alerts_account on alerts (account_id, created_at);
  create index alerts_due on alerts (created_at) where mail_due;
  create table alert_mails (
    alert_id uuid not null references alerts,
    user_id uuid not null references users on delete cascade,
    attempts integer not null default 0,
    claimed_at timestamptz,
    sent_at timestamptz,
    primary key (alert_id, user_id)
  );
  create index alert_mails_open on alert_mails (alert_id) where sent_at is null;
  create table notification_settings (
    account_id uuid primary key references accounts,
    account_limit boolean not null default true,
    key_limit boolean not null default true,
    low_balance boolean not null default true
  );`;

/** The UTC month of now. */
const MONTH = `date_trunc('month', timezone('UTC', clock_timestamp()))::date`;

/** The steps of a limit that are reached and not written yet; only the highest one is worth a mail. */
const WRITE = `
create function write_alerts(owner uuid, of_kind text, of_subject uuid, used bigint, most bigint, in_month date)
returns void language sql as $$
  insert into alerts (account_id, kind, subject, period, threshold, limit_pence, reached_pence, mail_due)
  select owner, of_kind, of_subject, in_month, step, most, used, step = max(step) over ()
  from unnest(array[50, 80, 100]) step where used * 100 >= most * step
  on conflict do nothing
$$`;

/** What a row counts in this month: what is charged and what is held. */
function used(held: string, row: string): string {
  return `(${held} + case when ${row}.month = ${MONTH} then ${row}.month_charged_pence else 0 end)`;
}

/** The highest step that is reached; a limit of 0 has none. */
function level(amount: string, limit: string): string {
  return `case when ${limit} = 0 then 0 when ${amount} >= ${limit} then 100 when ${amount} * 5 >= ${limit} * 4 then 80
    when ${amount} * 2 >= ${limit} then 50 else 0 end`;
}

/** Whether a row has reached a step that it had not reached. In a new month, and with another limit, it had reached none. */
function crossed(heldOf: (row: string) => string): string {
  const of = (row: string): string => level(used(heldOf(row), row), `${row}.month_limit_pence`);
  return `${of('new')} > case when old.month = ${MONTH} and old.month_limit_pence = new.month_limit_pence
    then ${of('old')} else 0 end`;
}

const heldOfAccount = (row: string): string => `${row}.wallet_held + ${row}.monthly_held`;
const heldOfKey = (row: string): string => `${row}.held_pence`;

const OF_ACCOUNTS = [
  `create function alert_of_account() returns trigger language plpgsql as $$
   begin
     perform write_alerts(new.account_id, 'account-limit', new.account_id, ${used(heldOfAccount('new'), 'new')},
       new.month_limit_pence, ${MONTH});
     return null;
   end $$`,
  `create trigger ledger_balances_crossed after update on ledger_balances for each row
   when (new.month_limit_pence is not null and ${crossed(heldOfAccount)}) execute function alert_of_account()`,
];

const OF_KEYS = [
  `create function alert_of_key() returns trigger language plpgsql as $$
   begin
     perform write_alerts(new.account_id, 'key-limit', new.key_id, ${used(heldOfKey('new'), 'new')},
       new.month_limit_pence, ${MONTH});
     return null;
   end $$`,
  `create trigger key_limits_crossed after update on key_limits for each row
   when (${crossed(heldOfKey)}) execute function alert_of_key()`,
  `create trigger key_limits_crossed_at_once after insert on key_limits for each row
   when (${level(used(heldOfKey('new'), 'new'), 'new.month_limit_pence')} > 0) execute function alert_of_key()`,
];

/** What can be spent counts, and a day has one alert at most: each hold would be one while the balance is about that low. */
const OF_BALANCES = [
  `create function alert_of_balance() returns trigger language plpgsql as $$
   begin
     insert into alerts (account_id, kind, subject, period, threshold, limit_pence, reached_pence, mail_due)
     values (new.account_id, 'low-balance', new.account_id, timezone('UTC', clock_timestamp())::date, 0, new.low_balance_pence,
       new.wallet + new.monthly, true)
     on conflict do nothing;
     return null;
   end $$`,
  `create trigger ledger_balances_low after update on ledger_balances for each row
   when (new.low_balance_pence is not null and new.wallet + new.monthly < new.low_balance_pence
     and (old.low_balance_pence is distinct from new.low_balance_pence or old.wallet + old.monthly >= old.low_balance_pence))
   execute function alert_of_balance()`,
];
