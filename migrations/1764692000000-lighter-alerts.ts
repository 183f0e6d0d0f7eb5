import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Alerts that cost a movement of credits little. PostgreSQL reads the condition of a trigger anew for each statement that
 * writes, as a text. The conditions of the alerts were whole computations, whose texts had 22,000 characters, and the movements
 * of every account paid for them, with limits or without: half of what a hold and its settlement cost. Now a condition asks
 * only whether there is anything to compare, and the function, whose text is read once for a connection, compares. What is
 * compared, and which rows are written, stays as it was.
 */
export class LighterAlerts1764692000000 implements MigrationInterface {
  name = 'LighterAlerts1764692000000';

  /** Puts the comparisons into functions. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TAKE_OLD, STEP, ...OF_BALANCES, ...OF_KEYS]) await runner.query(sql);
  }

  /** Puts the comparisons back into conditions. */
  async down(runner: QueryRunner): Promise<void> {
    for (const sql of [TAKE_NEW, ...OLD_OF_BALANCES, ...OLD_OF_KEYS]) await runner.query(sql);
  }
}

const TAKE_OLD = `
  drop trigger ledger_balances_low on ledger_balances;
  drop trigger ledger_balances_crossed on ledger_balances;
  drop trigger key_limits_crossed on key_limits;
  drop trigger key_limits_crossed_at_once on key_limits;
  drop function alert_of_balance, alert_of_account, alert_of_key;
`;

const TAKE_NEW = `
  drop trigger ledger_balances_alert on ledger_balances;
  drop trigger key_limits_alert on key_limits;
  drop trigger key_limits_alert_at_once on key_limits;
  drop function alert_of_balances, alert_of_key_limits, alert_step;
`;

/** The UTC month of now. */
const MONTH = `date_trunc('month', timezone('UTC', clock_timestamp()))::date`;

/** The highest step of a limit that an amount has reached; a limit of 0 has none. */
const STEP = `
create function alert_step(used bigint, most bigint) returns integer language sql immutable as $$
  select case when most = 0 then 0 when used >= most then 100 when used * 5 >= most * 4 then 80 when used * 2 >= most then 50
    else 0 end
$$`;

/**
 * Writes the steps that a row has reached and had not reached before. In a new month, and with another limit, a row had
 * reached none. What was charged in an earlier month counts for the cheap first question alone.
 */
function writeSteps(kind: string, subject: string, heldOf: (row: string) => string): string {
  return `
  if (${heldOf('new')} + new.month_charged_pence) * 2 >= new.month_limit_pence and new.month_limit_pence > 0 then
    this_month := ${MONTH};
    used := ${heldOf('new')} + case when new.month = this_month then new.month_charged_pence else 0 end;
    if tg_op = 'UPDATE' and old.month = this_month and old.month_limit_pence = new.month_limit_pence then
      used_before := ${heldOf('old')} + old.month_charged_pence;
    end if;
    if alert_step(used, new.month_limit_pence) > alert_step(used_before, new.month_limit_pence) then
      perform write_alerts(new.account_id, '${kind}', ${subject}, used, new.month_limit_pence, this_month);
    end if;
  end if;`;
}

const VARIABLES = `
  this_month date;
  used bigint;
  used_before bigint := 0;`;

/** What can be spent counts, and a day has one alert at most: each hold would be one while the balance is about that low. */
const OF_BALANCES = [
  `create function alert_of_balances() returns trigger language plpgsql as $$
declare ${VARIABLES}
begin ${writeSteps('account-limit', 'new.account_id', (row) => `${row}.wallet_held + ${row}.monthly_held`)}
  if new.wallet + new.monthly < new.low_balance_pence
    and (old.low_balance_pence is distinct from new.low_balance_pence or old.wallet + old.monthly >= old.low_balance_pence)
  then
    insert into alerts (account_id, kind, subject, period, threshold, limit_pence, reached_pence, mail_due)
    values (new.account_id, 'low-balance', new.account_id, timezone('UTC', clock_timestamp())::date, 0, new.low_balance_pence,
      new.wallet + new.monthly, true)
    on conflict do nothing;
  end if;
  return null;
end $$`,
  `create trigger ledger_balances_alert after update on ledger_balances for each row
   when (new.month_limit_pence is not null or new.low_balance_pence is not null) execute function alert_of_balances()`,
];

const OF_KEYS = [
  `create function alert_of_key_limits() returns trigger language plpgsql as $$
declare ${VARIABLES}
begin ${writeSteps('key-limit', 'new.key_id', (row) => `${row}.held_pence`)}
  return null;
end $$`,
  `create trigger key_limits_alert after update on key_limits for each row
   when ((new.held_pence + new.month_charged_pence) * 2 >= new.month_limit_pence) execute function alert_of_key_limits()`,
  `create trigger key_limits_alert_at_once after insert on key_limits for each row execute function alert_of_key_limits()`,
];

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

const OLD_OF_BALANCES = [
  `create function alert_of_account() returns trigger language plpgsql as $$
   begin
     perform write_alerts(new.account_id, 'account-limit', new.account_id, ${used(heldOfAccount('new'), 'new')},
       new.month_limit_pence, ${MONTH});
     return null;
   end $$`,
  `create trigger ledger_balances_crossed after update on ledger_balances for each row
   when (new.month_limit_pence is not null and ${crossed(heldOfAccount)}) execute function alert_of_account()`,
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

const OLD_OF_KEYS = [
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
