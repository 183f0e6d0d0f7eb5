/**
 * Changes of sound books that break one identity of the ledger each. The books have a customer with credits of both kinds, an open
 * job and a settled one; a customer whose settled job was held in three parts for a key with a limit; a customer with nothing.
 */

/** A change that breaks an identity. */
export interface Breakage {
  readonly what: string;
  readonly sql: string;
  /** Other identities that necessarily break with this one. */
  readonly also?: readonly string[];
}

/** The ids of what the books of each test contain, for use in `sql`. */
const OPEN = `(select id from holds where state = 'OPEN')`;
const SETTLED = `(select id from holds where state = 'SETTLED' and extensions = 0)`;
const OPEN_JOB = `(select job_id from holds where state = 'OPEN')`;
const SETTLED_JOB = `(select job_id from holds where state = 'SETTLED' and extensions = 0)`;
const EXTENDED = `(select account_id from holds where extensions > 0)`;
const RICH = `(select account_id from holds where state = 'OPEN')`;
const POOR = `(select account_id from ledger_balances where version = 0)`;
const GIFT = `(select id from ledger_transfers where kind = 'promo' and account_id = ${RICH})`;
const CHARGE = `kind = 'charge' and account_id = ${RICH}`;
const CAPACITY = `insert into capacity_requests (job_id, execution, account_id, vcpus, priority, state)
  select id, 1, account_id, 1, 0, 'GRANTED' from jobs where id =`;
const LONG_AGO = `updated_at = now() - interval '2 minutes'`;

/** Takes away what keeps the application from such changes. */
export const WITHOUT_CHECKS = `
  alter table ledger_transfers drop constraint ledger_transfers_sound, alter column wallet_after drop not null;
  drop index ledger_transfers_version;
  alter table ledger_balances drop constraint ledger_balances_signs;
  alter table holds drop constraint holds_sound;
  alter table hold_extensions drop constraint hold_extensions_period`;

/** The changes that break each identity of `verifyLedger`, by its name. */
export const BREAKAGES: Readonly<Record<string, readonly Breakage[]>> = {
  'transfer-sums-to-zero': [
    {
      what: 'the service took more than the customer gave',
      sql: `update ledger_transfers set amounts_pence[array_position(accounts, 'revenue')] = 13 where ${CHARGE}`,
      also: ['month-charged-is-its-charges'],
    },
    {
      what: 'a side of a transfer is missing',
      sql: `update ledger_transfers set accounts = array_remove(accounts, 'revenue'), amounts_pence = array_remove(amounts_pence, 12)
        where ${CHARGE}`,
      also: ['month-charged-is-its-charges'],
    },
    {
      what: 'a transfer has no entries',
      sql: `with b as (update ledger_balances set version = version + 1 where account_id = ${RICH} returning *)
        insert into ledger_transfers (id, account_id, version, kind, idempotency_key, input_sha256, description, accounts,
          amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after, debt_after)
        select gen_random_uuid(), account_id, version, 'promo', 'x', 'x', 'x', '{}', '{}', wallet, wallet_held, monthly,
          monthly_held, debt from b`,
    },
  ],
  'entry-belongs': [
    {
      what: 'the account of an entry does not exist',
      sql: `update ledger_transfers set accounts = array_replace(accounts, 'revenue', 'pocket') where ${CHARGE}`,
      also: ['month-charged-is-its-charges'],
    },
    {
      what: 'an entry has no account',
      sql: `update ledger_transfers set accounts = array_replace(accounts, 'revenue', null) where ${CHARGE}`,
      also: ['month-charged-is-its-charges'],
    },
    {
      what: 'two entries are of one account',
      sql: `update ledger_transfers set accounts = accounts || '{revenue,revenue}', amounts_pence = amounts_pence || '{1,-1}'
        where ${CHARGE}`,
    },
    {
      what: 'an entry moves nothing',
      sql: `update ledger_transfers set accounts = accounts || '{refunds}', amounts_pence = amounts_pence || '{0}'
        where ${CHARGE}`,
    },
  ],
  'customer-has-all-accounts': [
    {
      what: 'the balances of a customer were deleted',
      sql: `delete from ledger_balances where account_id = ${POOR}`,
    },
    {
      what: 'the balances of a customer with credits were deleted',
      sql: `delete from ledger_balances where account_id = ${RICH}`,
      also: ['entry-belongs'],
    },
  ],
  'balance-is-sum-of-entries': [
    {
      what: 'a balance was raised',
      sql: `update ledger_balances set wallet = wallet + 1 where account_id = ${RICH}`,
    },
    {
      what: 'a balance was raised where nothing ever moved',
      sql: `update ledger_balances set debt = -5 where account_id = ${POOR}`,
    },
    {
      what: 'the service owes a customer a debt',
      sql: `update ledger_transfers set accounts = accounts || '{debt,refunds}', amounts_pence = amounts_pence || '{5,-5}'
          where id = ${GIFT};
        update ledger_transfers set debt_after = debt_after + 5 where account_id = ${RICH};
        update ledger_balances set debt = 5 where account_id = ${RICH}`,
    },
  ],
  'debt-leaves-no-wallet': [
    {
      what: 'credits stand beside a debt',
      sql: `update ledger_transfers set accounts = accounts || '{debt,refunds}', amounts_pence = amounts_pence || '{-5,5}'
          where id = ${GIFT};
        update ledger_transfers set debt_after = debt_after - 5 where account_id = ${RICH};
        update ledger_balances set debt = -5 where account_id = ${RICH}`,
    },
  ],
  'monthly-names-its-period': [
    {
      what: 'monthly credits are of no period',
      sql: `update ledger_balances set monthly_period = null, monthly_ends_at = null where account_id = ${EXTENDED}`,
    },
    {
      what: 'monthly credits are of a period that nobody knows',
      sql: `update ledger_balances set monthly_period = gen_random_uuid() where account_id = ${EXTENDED}`,
    },
    {
      what: 'a balance names another end than its period has',
      sql: `update ledger_balances set monthly_ends_at = monthly_ends_at + interval '1 day' where account_id = ${EXTENDED}`,
    },
    {
      what: 'monthly credits are of the period of another customer',
      sql: `update allowance_periods set account_id = ${POOR}
        where id = (select monthly_period from ledger_balances where account_id = ${RICH})`,
      also: ['lot-names-its-period'],
    },
  ],
  'lot-names-its-period': [
    {
      what: 'a monthly lot names no period',
      sql: `update holds set monthly_period = null where id = ${OPEN}`,
    },
    {
      what: 'a lot of nothing names a period',
      sql: `update hold_extensions set monthly_period = (select id from allowance_periods where account_id = ${EXTENDED} limit 1)
        where monthly_pence = 0`,
    },
    {
      what: 'the lot of an extension names a period that nobody knows',
      sql: `update hold_extensions set monthly_period = gen_random_uuid() where monthly_pence > 0`,
    },
  ],
  'period-within-its-allowance': [
    {
      what: 'a period has more credits than were granted for it',
      sql: `update allowance_periods set granted_pence = granted_pence - 1 where account_id = ${RICH}`,
    },
  ],
  'parts-are-charged-in-order': [
    {
      what: 'an extension is charged while the part before it gave credits back',
      sql: `update hold_extensions set wallet_charged_pence = wallet_charged_pence + 2 * part - 3,
          wallet_released_pence = wallet_released_pence - 2 * part + 3`,
    },
  ],
  'versions-are-gapless': [
    {
      what: 'a version was skipped',
      sql: `update ledger_balances set version = version + 1 where account_id = ${RICH}`,
    },
    {
      what: 'a transfer was renumbered',
      sql: `update ledger_transfers set version = version + 1
        where account_id = ${RICH} and version = (select version from ledger_balances where account_id = ${RICH})`,
    },
    {
      what: 'a transfer is gone',
      sql: `delete from ledger_transfers where id = ${GIFT}`,
      also: ['balance-is-sum-of-entries', 'balances-follow-entries'],
    },
    {
      what: 'a transfer moves credits of another customer',
      sql: `update ledger_transfers set account_id = ${POOR} where id = ${GIFT}`,
      also: ['balance-is-sum-of-entries', 'balances-follow-entries'],
    },
  ],
  'balances-follow-entries': [
    ...['wallet', 'wallet_held', 'monthly', 'monthly_held', 'debt'].map((account) => ({
      what: `a balance that was shown is wrong: ${account}`,
      sql: `update ledger_transfers set ${account}_after = ${account}_after + 1 where id = ${GIFT}`,
    })),
    {
      what: 'a transfer shows no balance',
      sql: `update ledger_transfers set wallet_after = null where id = ${GIFT}`,
    },
    {
      what: 'two transfers changed places',
      sql: `update ledger_transfers set version = 3 - version where version in (1, 2) and account_id = ${RICH}`,
    },
  ],
  'held-is-open-lots': [
    {
      what: 'a lot vanished',
      sql: `update holds set held_pence = held_pence - wallet_pence, wallet_pence = 0 where id = ${OPEN}`,
      also: ['hold-is-its-transfers'],
    },
    {
      what: 'a lot changed its bucket',
      sql: `update holds set monthly_pence = wallet_pence, wallet_pence = monthly_pence where id = ${OPEN}`,
      also: ['hold-is-its-transfers'],
    },
    {
      what: 'credits are held of nothing',
      sql: `update ledger_balances set wallet = wallet - 1, wallet_held = wallet_held + 1 where account_id = ${RICH}`,
      also: ['balance-is-sum-of-entries'],
    },
  ],
  'hold-is-its-lots': [
    {
      what: 'a hold says that it charged less than its lots',
      sql: `update holds set charged_pence = charged_pence - 1, released_pence = released_pence + 1 where id = ${SETTLED}`,
    },
    {
      what: 'a hold says that it holds more than its lots',
      sql: `update holds set held_pence = held_pence + 1 where id = ${OPEN}`,
    },
    {
      what: 'an open hold was charged',
      sql: `update holds set wallet_charged_pence = 1, charged_pence = 1 where id = ${OPEN}`,
      also: ['held-is-open-lots', 'hold-is-its-transfers'],
    },
    {
      what: 'a hold counts fewer parts than it has',
      sql: `update holds set extensions = 1 where extensions = 2`,
    },
    { what: 'a settled hold has no time', sql: `update holds set settled_at = null where id = ${SETTLED}` },
    { what: 'an open hold has one', sql: `update holds set settled_at = now() where id = ${OPEN}` },
  ],
  'hold-is-its-transfers': [
    {
      what: 'hold and lots agree on another charge than was booked',
      sql: `update holds set monthly_charged_pence = monthly_charged_pence - 1, monthly_released_pence = monthly_released_pence + 1,
          charged_pence = charged_pence - 1, released_pence = released_pence + 1
        where id = ${SETTLED}`,
    },
    {
      what: 'a charge was booked as a release',
      sql: `update ledger_transfers set kind = 'hold_release' where ${CHARGE}`,
      also: ['month-charged-is-its-charges'],
    },
  ],
  'month-charged-is-its-charges': [
    {
      what: 'a month counts less than was charged',
      sql: `update ledger_balances set month_charged_pence = month_charged_pence - 1 where account_id = ${RICH}`,
    },
    {
      what: 'a month counts charges of another one',
      sql: `update ledger_balances set month = month - interval '1 month' where account_id = ${RICH}`,
    },
  ],
  'key-limit-counts-its-holds': [
    {
      what: 'a key counts more than its jobs hold',
      sql: `update key_limits set held_pence = held_pence + 1`,
    },
    {
      what: 'a key counts less than its jobs were charged',
      sql: `update key_limits set month_charged_pence = month_charged_pence - 1`,
    },
    {
      what: 'a limit of a key is never looked at',
      sql: `update ledger_balances set key_limits = false`,
    },
  ],
  'transfer-has-its-hold': [
    {
      what: 'a charge names no hold',
      sql: `update ledger_transfers set hold_id = null where ${CHARGE}`,
      also: ['hold-is-its-transfers'],
    },
    {
      what: 'a charge names another job than its hold',
      sql: `update ledger_transfers set job_id = gen_random_uuid() where ${CHARGE}`,
    },
    {
      what: 'a gift names a hold that does not exist',
      sql: `update ledger_transfers set hold_id = gen_random_uuid() where id = ${GIFT}`,
    },
  ],
  'open-hold-has-open-execution': [
    {
      what: 'a job that nobody knows holds credits',
      sql: `with x as (delete from job_executions where hold_id = ${OPEN}) delete from jobs where id = ${OPEN_JOB}`,
    },
    {
      what: 'an execution was settled without its hold',
      sql: `with j as (update jobs set status = 'FAILED' where id = ${OPEN_JOB})
        update job_executions set settled_at = now() where hold_id = ${OPEN}`,
    },
  ],
  'open-execution-has-open-hold': [
    {
      what: 'an execution goes on after its hold was settled',
      sql: `with j as (update jobs set status = 'RUNNING' where id = ${SETTLED_JOB})
        update job_executions set settled_at = null where hold_id = ${SETTLED}`,
    },
  ],
  'ended-job-is-settled': [
    {
      what: 'a job ended with its hold open',
      sql: `update jobs set status = 'FAILED' where id = ${OPEN_JOB}`,
    },
    {
      what: 'a job paused with its hold open',
      sql: `update jobs set status = 'PAUSED' where id = ${OPEN_JOB}`,
    },
    {
      what: 'a job went on to its next execution with its hold open',
      sql: `update jobs set execution = 2 where id = ${OPEN_JOB}`,
      also: ['running-job-is-held'],
    },
  ],
  'running-job-is-held': [
    {
      what: 'a job runs with nothing held',
      sql: `update jobs set status = 'RUNNING' where id = ${SETTLED_JOB}`,
    },
  ],
  'ended-job-has-no-capacity': [
    {
      what: 'an ended job keeps capacity for more than a minute',
      sql: `with j as (update jobs set ${LONG_AGO} where id = ${SETTLED_JOB}) ${CAPACITY} ${SETTLED_JOB}`,
    },
    {
      what: 'a job keeps the capacity of an earlier execution',
      sql: `${CAPACITY} ${OPEN_JOB}; update capacity_requests set execution = 0`,
    },
    {
      what: 'a job that nobody knows has capacity',
      sql: `${CAPACITY} ${OPEN_JOB}; update capacity_requests set job_id = gen_random_uuid()`,
    },
  ],
};

/** Changes that look like a breakage and are none. */
export const SOUND: readonly Breakage[] = [
  { what: 'capacity of a job that runs', sql: `${CAPACITY} ${OPEN_JOB}` },
  { what: 'capacity of a job that ended a moment ago', sql: `${CAPACITY} ${SETTLED_JOB}` },
  {
    what: 'capacity of an ended job whose instances are still being stopped',
    sql: `with j as (update jobs set ${LONG_AGO} where id = ${SETTLED_JOB}),
      i as (insert into instances (job_id, slot, generation, provider, launch_token, vcpus, state)
        select ${SETTLED_JOB}, 0, 1, 'local', 'token', 1, 'RUNNING')
      ${CAPACITY} ${SETTLED_JOB}`,
  },
  {
    what: 'capacity that was given back',
    sql: `${CAPACITY} ${SETTLED_JOB}; update capacity_requests set state = 'RELEASED'; update jobs set ${LONG_AGO} where id = ${SETTLED_JOB}`,
  },
];
