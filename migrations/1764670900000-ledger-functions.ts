import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The movements that every job makes, as functions: what was `ledger_place_hold_if_active` with `ledger_place_hold`, and
 * `ledger_settle_hold`; and the extension of a hold by a further part. The functions do what `splitHold`, `settleLots` and `payDebt` (src/domain/ledger.ts) say; property tests
 * compare them.
 *
 * A hold is placed under the lock of the customer's balances, and everything that may refuse a hold is looked at under
 * that lock. When a hold is extended or settled, the hold is locked before the balances. So no transaction waits for a hold while it
 * holds balances. Each statement of a function sees what was committed before the statement began, so a statement that
 * follows a wait for a lock sees what the lock protected. Transfers take their time under the lock of the balances, so
 * their times are in the order of the lock.
 */
export class LedgerFunctions1764670900000 implements MigrationInterface {
  name = 'LedgerFunctions1764670900000';

  /** Adds the functions. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [REFUSAL, RESERVE, EXTEND, SETTLE]) await runner.query(sql);
  }

  /** Removes them. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function ledger_reserve, ledger_extend, ledger_refusal, ledger_settle');
  }
}

const TRANSFER_COLUMNS = `id, version, account_id, job_id, hold_id, debt_after, created_at, input_sha256, kind, idempotency_key,
    description, accounts, amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after`;

/** The UTC month of the time of a movement. */
const UTC_MONTH = `date_trunc('month', timezone('UTC', at))::date`;

/** What is left of the limit of a key. */
const KEY_REST = `month_limit_pence - held_pence - case when month = ${UTC_MONTH} then month_charged_pence else 0 end`;

/**
 * Why so much may not be held, null when it may: `accountState`, `owedPence`, `availablePence`, or the `limit` of job or
 * month that it would pass, with `limitPence` and `restPence`. To be asked under the lock of the balances, under which the
 * counters change too. A hold of nothing is refused for the state of the account alone, because it spends nothing. The first
 * part of a job's first execution is all that the job costs so far.
 */
const REFUSAL = `
create function ledger_refusal(funds ledger_balances, job uuid, is_first boolean, amount bigint, at timestamptz)
returns jsonb language plpgsql as $$
declare
  standing text;
  available bigint;
  rest bigint;
begin
  -- This statement follows the wait for the lock, so it sees what the holder of the lock has committed.
  select state into standing from accounts where id = funds.account_id;
  if standing <> 'ACTIVE' then return jsonb_build_object('accountState', standing); end if;
  if amount = 0 then return null; end if;
  if funds.debt < 0 then return jsonb_build_object('owedPence', -funds.debt); end if;
  available := funds.wallet + case when funds.monthly_ends_at > at then funds.monthly else 0 end;
  if available < amount then return jsonb_build_object('availablePence', available); end if;
  if funds.job_limit_pence is not null then
    rest := funds.job_limit_pence;
    if not is_first then
      rest := rest - (select coalesce(sum(case state when 'OPEN' then held_pence else charged_pence end), 0)
        from holds where job_id = job);
    end if;
    if rest < amount then
      return jsonb_build_object('limit', 'job', 'limitPence', funds.job_limit_pence, 'restPence', greatest(rest, 0));
    end if;
  end if;
  if funds.month_limit_pence is not null then
    rest := funds.month_limit_pence - funds.wallet_held - funds.monthly_held
      - case when funds.month = ${UTC_MONTH} then funds.month_charged_pence else 0 end;
    if rest < amount then
      return jsonb_build_object('limit', 'month', 'limitPence', funds.month_limit_pence, 'restPence', greatest(rest, 0));
    end if;
  end if;
  return null;
end $$`;

/**
 * Counts what is held for a key that has a limit, or answers the refusal. One statement looks and counts; only a key without
 * a limit and a refusal need another.
 */
const COUNT_FOR_KEY = `
  if amount > 0 and funds.key_limits and caller is not null then
    update key_limits set held_pence = held_pence + amount where key_id = caller and ${KEY_REST} >= amount;
    if not found then
      refusal := (select jsonb_build_object('limit', 'key', 'limitPence', month_limit_pence, 'restPence', greatest(${KEY_REST}, 0))
        from key_limits where key_id = caller);
      if refusal is not null then return refusal; end if;
    end if;
  end if;`;

/** Writes the transfer of a part from the buckets to what is held, and moves the balances. */
function moveToHeld(kind: string, key: string, description: string): string {
  return `
  insert into ledger_transfers (${TRANSFER_COLUMNS})
  values (transfer, funds.version + 1, customer, job, hold, funds.debt, at, digest, '${kind}', ${key}, '${description}',
    case when of_monthly = 0 then '{wallet,wallet_held}'::text[] when of_wallet = 0 then '{monthly,monthly_held}'
      else '{monthly,monthly_held,wallet,wallet_held}' end,
    case when of_monthly = 0 or of_wallet = 0 then array[-amount, amount]
      else array[-of_monthly, of_monthly, -of_wallet, of_wallet] end,
    funds.wallet - of_wallet, funds.wallet_held + of_wallet, funds.monthly - of_monthly, funds.monthly_held + of_monthly);
  update ledger_balances set wallet = wallet - of_wallet, wallet_held = wallet_held + of_wallet,
    monthly = monthly - of_monthly, monthly_held = monthly_held + of_monthly, version = version + 1
  where account_id = customer;`;
}

/**
 * Answers null when this call placed the hold, else why it did not. A hold that exists already stays as it is, whatever
 * its terms, and the answer is `known` unless there is something to refuse.
 */
const RESERVE = `
create function ledger_reserve(hold uuid, customer uuid, job uuid, nth integer, caller uuid, amount bigint, transfer uuid,
  digest text) returns jsonb language plpgsql as $$
declare
  funds ledger_balances;
  refusal jsonb;
  at timestamptz;
  of_monthly bigint;
  of_wallet bigint;
begin
  select * into funds from ledger_balances where account_id = customer for no key update;
  if not found then raise exception 'account % has no balances', customer using errcode = 'no_data_found'; end if;
  at := clock_timestamp();
  refusal := ledger_refusal(funds, job, nth = 1, amount, at);
  if refusal is not null then return refusal; end if;
  of_monthly := least(amount, case when funds.monthly_ends_at > at then funds.monthly else 0 end);
  of_wallet := amount - of_monthly;
  ${COUNT_FOR_KEY}
  insert into holds (id, account_id, job_id, execution, held_pence, monthly_pence, monthly_period, wallet_pence, key_id, created_at)
  values (hold, customer, job, nth, amount, of_monthly, case when of_monthly > 0 then funds.monthly_period end, of_wallet,
    caller, at)
  on conflict (id) do nothing;
  if not found then
    if funds.key_limits and caller is not null then
      update key_limits set held_pence = held_pence - amount where key_id = caller;
    end if;
    return jsonb_build_object('known', true);
  end if;
  if amount = 0 then return null; end if;
  ${moveToHeld('hold', `'hold/' || hold`, 'Credits reserved for a job')}
  return null;
end $$`;

/**
 * Answers null when this call placed the part, else why it did not: what would refuse a hold, or `known` when the hold is
 * not there, is settled, or does not wait for this part.
 */
const EXTEND = `
create function ledger_extend(hold uuid, nth integer, amount bigint, transfer uuid, digest text)
returns jsonb language plpgsql as $$
declare
  h holds;
  funds ledger_balances;
  refusal jsonb;
  at timestamptz;
  customer uuid;
  job uuid;
  caller uuid;
  of_monthly bigint;
  of_wallet bigint;
begin
  select * into h from holds where id = hold for no key update;
  if not found or h.state <> 'OPEN' or h.extensions <> nth - 1 then return jsonb_build_object('known', true); end if;
  customer := h.account_id;
  job := h.job_id;
  caller := h.key_id;
  select * into funds from ledger_balances where account_id = customer for no key update;
  at := clock_timestamp();
  refusal := ledger_refusal(funds, job, false, amount, at);
  if refusal is not null then return refusal; end if;
  of_monthly := least(amount, case when funds.monthly_ends_at > at then funds.monthly else 0 end);
  of_wallet := amount - of_monthly;
  ${COUNT_FOR_KEY}
  insert into hold_extensions (hold_id, part, monthly_pence, monthly_period, wallet_pence, created_at)
  values (hold, nth, of_monthly, case when of_monthly > 0 then funds.monthly_period end, of_wallet, at);
  update holds set extensions = nth, extended_pence = extended_pence + amount, held_pence = held_pence + amount where id = hold;
  ${moveToHeld('hold_increase', `'extend/' || hold || '/' || nth`, 'More credits reserved for a job')}
  return null;
end $$`;

/**
 * Answers the amount that was released; null when the hold does not exist, was settled before, or holds less than the
 * charge. The charge takes the lots of the parts in their order. Monthly credits go back to the period that they are of
 * while it is the present one and lasts; else they expire, or become wallet credit when the service is at fault. What would
 * reach the wallet pays the debt first. The sums of all parts come together in `h` once the parts are settled.
 */
const SETTLE = `
create function ledger_settle(hold uuid, charge bigint, fault_is_ours boolean, charge_transfer uuid, release_transfer uuid,
  expiry_transfer uuid, digest text) returns bigint language plpgsql as $$
declare
  h holds;
  funds ledger_balances;
  at timestamptz;
  to_monthly bigint := 0;
  to_wallet bigint;
  to_debt bigint;
  expired bigint := 0;
  this_month date;
begin
  update holds set state = 'SETTLED', settled_at = clock_timestamp(), charged_pence = charge, released_pence = held_pence - charge,
    monthly_charged_pence = least(charge, monthly_pence),
    monthly_released_pence = monthly_pence - least(charge, monthly_pence),
    wallet_charged_pence = least(charge, monthly_pence + wallet_pence) - least(charge, monthly_pence),
    wallet_released_pence = monthly_pence + wallet_pence - greatest(monthly_pence, least(charge, monthly_pence + wallet_pence)),
    extended_charged_pence = charge - least(charge, monthly_pence + wallet_pence),
    extended_released_pence = extended_pence - (charge - least(charge, monthly_pence + wallet_pence))
  where id = hold and state = 'OPEN' and charge <= held_pence
  returning * into h;
  if not found then return null; end if;
  if h.held_pence = 0 then return 0; end if;

  if h.monthly_released_pence > 0 or h.extensions > 0 then
    -- Which period is the present one, and whether it has ended, is decided under the lock.
    select * into funds from ledger_balances where account_id = h.account_id for no key update;
    at := clock_timestamp();
    if funds.monthly_ends_at > at and h.monthly_period = funds.monthly_period then to_monthly := h.monthly_released_pence; end if;
  end if;
  if h.extensions > 0 then
    update hold_extensions e set monthly_charged_pence = least(p.charged, monthly_pence),
      monthly_released_pence = monthly_pence - least(p.charged, monthly_pence),
      wallet_charged_pence = p.charged - least(p.charged, monthly_pence),
      wallet_released_pence = wallet_pence - (p.charged - least(p.charged, monthly_pence))
    from (
      select part as place, greatest(0, least(monthly_pence + wallet_pence, h.extended_charged_pence
        + monthly_pence + wallet_pence - sum(monthly_pence + wallet_pence) over (order by part)))::bigint as charged
      from hold_extensions where hold_id = hold) p
    where e.hold_id = hold and e.part = p.place;
    if funds.monthly_ends_at > at then
      to_monthly := to_monthly + (select coalesce(sum(monthly_released_pence), 0) from hold_extensions
        where hold_id = hold and monthly_period = funds.monthly_period);
    end if;
    h.monthly_pence := (select sum(monthly_pence) from hold_parts where hold_id = hold);
    h.monthly_charged_pence := (select sum(monthly_charged_pence) from hold_parts where hold_id = hold);
    h.monthly_released_pence := h.monthly_pence - h.monthly_charged_pence;
    h.wallet_pence := h.held_pence - h.monthly_pence;
    h.wallet_charged_pence := charge - h.monthly_charged_pence;
    h.wallet_released_pence := h.wallet_pence - h.wallet_charged_pence;
  end if;
  to_wallet := h.wallet_released_pence;
  if fault_is_ours then to_wallet := to_wallet + h.monthly_released_pence - to_monthly;
  else expired := h.monthly_released_pence - to_monthly;
  end if;
  this_month := date_trunc('month', timezone('UTC', clock_timestamp()))::date;
  -- A wallet has credits only while nothing is owed, so the sum of both says what each is afterwards.
  update ledger_balances set wallet = greatest(wallet + debt + to_wallet, 0), debt = least(wallet + debt + to_wallet, 0),
    wallet_held = wallet_held - h.wallet_pence, monthly = monthly + to_monthly, monthly_held = monthly_held - h.monthly_pence,
    month = greatest(month, this_month),
    month_charged_pence = case when month >= this_month then month_charged_pence + charge else charge end,
    version = version + (charge > 0)::integer + (to_wallet + to_monthly > 0)::integer + (expired > 0)::integer
  where account_id = h.account_id
  returning * into funds;
  at := clock_timestamp();
  if ${UTC_MONTH} > funds.month then
    -- The next month began while this settlement waited for the lock.
    this_month := ${UTC_MONTH};
    update ledger_balances set month = this_month, month_charged_pence = charge where account_id = h.account_id;
  end if;
  this_month := greatest(this_month, funds.month);
  to_debt := case when funds.debt < 0 then to_wallet else greatest(0, to_wallet - funds.wallet) end;
  to_wallet := to_wallet - to_debt;
  if funds.key_limits and h.key_id is not null then
    update key_limits set held_pence = held_pence - h.held_pence, month = this_month,
      month_charged_pence = case when month = this_month then month_charged_pence + charge else charge end
    where key_id = h.key_id;
  end if;

  -- The last transfer first: each of the others has its version and its balances from what came after it.
  if expired > 0 then
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values (expiry_transfer, funds.version, h.account_id, h.job_id, hold, funds.debt, at, digest,
      'monthly_expiry', 'settle/' || hold || '/monthly_expiry', 'Reserved monthly credits whose period has ended',
      '{monthly_expired,monthly_held}', array[expired, -expired],
      funds.wallet, funds.wallet_held, funds.monthly, funds.monthly_held);
    funds.version := funds.version - 1;
    funds.monthly_held := funds.monthly_held + expired;
  end if;
  if to_wallet + to_monthly + to_debt > 0 then
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values (release_transfer, funds.version, h.account_id, h.job_id, hold, funds.debt, at, digest,
      'hold_release', 'settle/' || hold || '/hold_release', 'Reserved credits returned',
      case when h.monthly_released_pence = expired and to_debt = 0 then '{wallet,wallet_held}'::text[]
        else array_remove(array[case when to_debt > 0 then 'debt' end, case when to_monthly > 0 then 'monthly' end,
          case when h.monthly_released_pence > expired then 'monthly_held' end, case when to_wallet > 0 then 'wallet' end,
          case when h.wallet_released_pence > 0 then 'wallet_held' end], null) end,
      case when h.monthly_released_pence = expired and to_debt = 0 then array[to_wallet, -to_wallet]
        else array_remove(array[nullif(to_debt, 0), nullif(to_monthly, 0), nullif(expired - h.monthly_released_pence, 0),
          nullif(to_wallet, 0), nullif(-h.wallet_released_pence, 0)], null) end,
      funds.wallet, funds.wallet_held, funds.monthly, funds.monthly_held);
    funds.version := funds.version - 1;
  end if;
  if charge > 0 then
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values (charge_transfer, funds.version, h.account_id, h.job_id, hold, funds.debt - to_debt, at, digest,
      'charge', 'settle/' || hold || '/charge', 'Charge for verified tasks of a job',
      case when h.monthly_charged_pence = 0 then '{revenue,wallet_held}'::text[]
        when h.wallet_charged_pence = 0 then '{monthly_held,revenue}' else '{monthly_held,revenue,wallet_held}' end,
      case when h.monthly_charged_pence = 0 then array[charge, -charge] when h.wallet_charged_pence = 0 then array[-charge, charge]
        else array[-h.monthly_charged_pence, charge, -h.wallet_charged_pence] end,
      funds.wallet - to_wallet, funds.wallet_held + h.wallet_released_pence, funds.monthly - to_monthly,
      funds.monthly_held + h.monthly_released_pence - expired);
  end if;
  return h.released_pence;
end $$`;
