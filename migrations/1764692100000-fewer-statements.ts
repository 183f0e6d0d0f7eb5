import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A hold and its settlement in fewer statements. `ledger_reserve` asks `ledger_refusal` only where something may refuse: what
 * it looks at first refuses whenever `ledger_refusal` does, and is compared without a call. `ledger_settle` writes the release
 * and the charge in one statement. Both functions do what they did before.
 */
export class FewerStatements1764692100000 implements MigrationInterface {
  name = 'FewerStatements1764692100000';

  /** Puts the functions in the place of those of `ledger-functions`. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [reserve('\n  standing text;', ASK_WHERE_NEEDED), settle(WRITE_TOGETHER)])
      await runner.query(sql);
  }

  /** Brings those back. */
  async down(runner: QueryRunner): Promise<void> {
    for (const sql of [reserve('', ASK_ALWAYS), settle(WRITE_ONE_BY_ONE)]) await runner.query(sql);
  }
}

const TRANSFER_COLUMNS = `id, version, account_id, job_id, hold_id, debt_after, created_at, input_sha256, kind, idempotency_key,
    description, accounts, amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after`;

/** The UTC month of the time of a movement. */
const UTC_MONTH = `date_trunc('month', timezone('UTC', at))::date`;

/** What is left of the limit of a key. */
const KEY_REST = `month_limit_pence - held_pence - case when month = ${UTC_MONTH} then month_charged_pence else 0 end`;

const ASK_ALWAYS = `
  at := clock_timestamp();
  refusal := ledger_refusal(funds, job, nth = 1, amount, at);
  if refusal is not null then return refusal; end if;
  of_monthly := least(amount, case when funds.monthly_ends_at > at then funds.monthly else 0 end);
  of_wallet := amount - of_monthly;`;

/**
 * What was charged in an earlier month does not count for the limit of this one, and a later execution of a job counts what the
 * former ones cost: both are left to `ledger_refusal`. A limit that is not set compares as null, which refuses nothing.
 */
const ASK_WHERE_NEEDED = `
  -- This statement follows the wait for the lock, so it sees what the holder of the lock has committed.
  select state into standing from accounts where id = customer;
  at := clock_timestamp();
  of_monthly := least(amount, case when funds.monthly_ends_at > at then funds.monthly else 0 end);
  of_wallet := amount - of_monthly;
  if standing <> 'ACTIVE' or amount > 0 and (funds.debt < 0 or funds.wallet < of_wallet
    or funds.job_limit_pence < amount or (nth > 1 and funds.job_limit_pence is not null)
    or funds.month_limit_pence < amount + funds.wallet_held + funds.monthly_held + funds.month_charged_pence)
  then
    refusal := ledger_refusal(funds, job, nth = 1, amount, at);
    if refusal is not null then return refusal; end if;
  end if;`;

/** The movement of `ledger-functions`: answers null when this call placed the hold, else why it did not. */
function reserve(declared: string, ask: string): string {
  return `
create or replace function ledger_reserve(hold uuid, customer uuid, job uuid, nth integer, caller uuid, amount bigint, transfer uuid,
  digest text) returns jsonb language plpgsql as $$
declare
  funds ledger_balances;
  refusal jsonb;${declared}
  at timestamptz;
  of_monthly bigint;
  of_wallet bigint;
begin
  select * into funds from ledger_balances where account_id = customer for no key update;
  if not found then raise exception 'account % has no balances', customer using errcode = 'no_data_found'; end if;
  ${ask}
  if amount > 0 and funds.key_limits and caller is not null then
    update key_limits set held_pence = held_pence + amount where key_id = caller and ${KEY_REST} >= amount;
    if not found then
      refusal := (select jsonb_build_object('limit', 'key', 'limitPence', month_limit_pence, 'restPence', greatest(${KEY_REST}, 0))
        from key_limits where key_id = caller);
      if refusal is not null then return refusal; end if;
    end if;
  end if;
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
  insert into ledger_transfers (${TRANSFER_COLUMNS})
  values (transfer, funds.version + 1, customer, job, hold, funds.debt, at, digest, 'hold', 'hold/' || hold, 'Credits reserved for a job',
    case when of_monthly = 0 then '{wallet,wallet_held}'::text[] when of_wallet = 0 then '{monthly,monthly_held}'
      else '{monthly,monthly_held,wallet,wallet_held}' end,
    case when of_monthly = 0 or of_wallet = 0 then array[-amount, amount]
      else array[-of_monthly, of_monthly, -of_wallet, of_wallet] end,
    funds.wallet - of_wallet, funds.wallet_held + of_wallet, funds.monthly - of_monthly, funds.monthly_held + of_monthly);
  update ledger_balances set wallet = wallet - of_wallet, wallet_held = wallet_held + of_wallet,
    monthly = monthly - of_monthly, monthly_held = monthly_held + of_monthly, version = version + 1
  where account_id = customer;
  return null;
end $$`;
}

/** The values of the transfer that releases. */
const RELEASE = `(release_transfer, funds.version, h.account_id, h.job_id, hold, funds.debt, at, digest,
      'hold_release', 'settle/' || hold || '/hold_release', 'Reserved credits returned',
      case when h.monthly_released_pence = expired and to_debt = 0 then '{wallet,wallet_held}'::text[]
        else array_remove(array[case when to_debt > 0 then 'debt' end, case when to_monthly > 0 then 'monthly' end,
          case when h.monthly_released_pence > expired then 'monthly_held' end, case when to_wallet > 0 then 'wallet' end,
          case when h.wallet_released_pence > 0 then 'wallet_held' end], null) end,
      case when h.monthly_released_pence = expired and to_debt = 0 then array[to_wallet, -to_wallet]
        else array_remove(array[nullif(to_debt, 0), nullif(to_monthly, 0), nullif(expired - h.monthly_released_pence, 0),
          nullif(to_wallet, 0), nullif(-h.wallet_released_pence, 0)], null) end,
      funds.wallet, funds.wallet_held, funds.monthly, funds.monthly_held)`;

/** The values of the transfer that charges. */
const charge = (
  version: string,
): string => `(charge_transfer, ${version}, h.account_id, h.job_id, hold, funds.debt - to_debt, at, digest,
      'charge', 'settle/' || hold || '/charge', 'Charge for verified tasks of a job',
      case when h.monthly_charged_pence = 0 then '{revenue,wallet_held}'::text[]
        when h.wallet_charged_pence = 0 then '{monthly_held,revenue}' else '{monthly_held,revenue,wallet_held}' end,
      case when h.monthly_charged_pence = 0 then array[charge, -charge] when h.wallet_charged_pence = 0 then array[-charge, charge]
        else array[-h.monthly_charged_pence, charge, -h.wallet_charged_pence] end,
      funds.wallet - to_wallet, funds.wallet_held + h.wallet_released_pence, funds.monthly - to_monthly,
      funds.monthly_held + h.monthly_released_pence - expired)`;

/** The last transfer first: each of the others has its version and its balances from what came after it. */
const WRITE_ONE_BY_ONE = `
  if to_wallet + to_monthly + to_debt > 0 then
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values ${RELEASE};
    funds.version := funds.version - 1;
  end if;
  if charge > 0 then
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values ${charge('funds.version')};
  end if;`;

/** One statement for most settlements, which release a part and charge the rest. */
const WRITE_TOGETHER = `
  if charge > 0 and to_wallet + to_monthly + to_debt > 0 then
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values ${RELEASE}, ${charge('funds.version - 1')};
  elsif charge > 0 then
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values ${charge('funds.version')};
  elsif to_wallet + to_monthly + to_debt > 0 then
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values ${RELEASE};
  end if;`;

/** What a settlement does before it writes its release and its charge. */
const SETTLE = `
create or replace function ledger_settle(hold uuid, charge bigint, fault_is_ours boolean, charge_transfer uuid, release_transfer uuid,
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
  end if;`;

/** The movement of `ledger-functions`: answers the amount that was released, null when this call settled nothing. */
function settle(writes: string): string {
  return `${SETTLE}${writes}
  return h.released_pence;
end $$`;
}
