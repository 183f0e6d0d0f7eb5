import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The functions that moved credits so far go, because a settlement by them would put credits beside a debt: stop all
 * processes of an earlier checkout before this migration. The next migration has the functions in their place.
 */
export class OldLedgerFunctions1764670800000 implements MigrationInterface {
  name = 'OldLedgerFunctions1764670800000';

  /** Removes the functions. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop function ledger_place_hold_if_active, ledger_place_hold, ledger_settle_hold');
  }

  /** Brings them back as they were. */
  async down(runner: QueryRunner): Promise<void> {
    for (const sql of [PLACE, PLACE_IF_ACTIVE, SETTLE]) await runner.query(sql);
  }
}

const TRANSFER_COLUMNS = `id, version, account_id, job_id, hold_id, debt_after, created_at, input_sha256, kind, idempotency_key,
    description, accounts, amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after`;

/** The function of the migration `ledger-movements`. */
const PLACE = `
create function ledger_place_hold(hold uuid, customer uuid, job uuid, nth integer, amount bigint, transfer uuid, digest text)
returns bigint language plpgsql as $$
declare
  funds ledger_balances;
  at timestamptz;
  of_monthly bigint;
  of_wallet bigint;
begin
  select * into funds from ledger_balances where account_id = customer for no key update;
  if not found then raise exception 'account % has no balances', customer using errcode = 'no_data_found'; end if;
  at := clock_timestamp();
  of_monthly := case when funds.monthly_ends_at > at then funds.monthly else 0 end;
  if funds.wallet + of_monthly < amount or exists (select from holds where id = hold) then
    return funds.wallet + of_monthly;
  end if;
  of_monthly := least(amount, of_monthly);
  of_wallet := amount - of_monthly;
  insert into holds (id, account_id, job_id, execution, held_pence, monthly_pence, monthly_ends_at, wallet_pence, created_at)
  values (hold, customer, job, nth, amount, of_monthly, case when of_monthly > 0 then funds.monthly_ends_at end, of_wallet, at);
  if amount = 0 then return null; end if;

  insert into ledger_transfers (${TRANSFER_COLUMNS})
  values (transfer, funds.version + 1, customer, job, hold, funds.debt, at, digest,
    'hold', 'hold/' || hold, 'Credits reserved for a job',
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

/** The function of the migration `account-states`. */
const PLACE_IF_ACTIVE = `
create function ledger_place_hold_if_active(hold uuid, customer uuid, job uuid, nth integer, amount bigint, transfer uuid,
  digest text) returns bigint language plpgsql as $$
declare
  standing text;
begin
  perform from ledger_balances where account_id = customer for no key update;
  -- This statement follows the wait for the lock, so it sees what the holder of the lock has committed.
  select state into standing from accounts where id = customer;
  if standing = 'SUSPENDED' then return -1; end if;
  if standing = 'CLOSED' then return -2; end if;
  return ledger_place_hold(hold, customer, job, nth, amount, transfer, digest);
end $$`;

/** The function of the migration `ledger-movements`. */
const SETTLE = `
create function ledger_settle_hold(hold uuid, charge bigint, fault_is_ours boolean, charge_transfer uuid, release_transfer uuid,
  expiry_transfer uuid, digest text) returns bigint language plpgsql as $$
declare
  h holds;
  funds ledger_balances;
  at timestamptz;
  to_monthly bigint := 0;
  to_wallet bigint;
  expired bigint := 0;
begin
  update holds set state = 'SETTLED', settled_at = clock_timestamp(), charged_pence = charge, released_pence = held_pence - charge,
    monthly_charged_pence = least(charge, monthly_pence),
    monthly_released_pence = monthly_pence - least(charge, monthly_pence),
    wallet_charged_pence = charge - least(charge, monthly_pence),
    wallet_released_pence = wallet_pence - (charge - least(charge, monthly_pence))
  where id = hold and state = 'OPEN' and charge <= held_pence
  returning * into h;
  if not found then return null; end if;
  if h.held_pence = 0 then return 0; end if;

  to_wallet := h.wallet_released_pence;
  if h.monthly_released_pence > 0 then
    -- Whether their period has ended is decided under the lock, beside which the next one begins.
    perform from ledger_balances where account_id = h.account_id for no key update;
    if h.monthly_ends_at > clock_timestamp() then to_monthly := h.monthly_released_pence;
    elsif fault_is_ours then to_wallet := to_wallet + h.monthly_released_pence;
    else expired := h.monthly_released_pence;
    end if;
  end if;
  update ledger_balances set wallet = wallet + to_wallet, wallet_held = wallet_held - h.wallet_pence,
    monthly = monthly + to_monthly, monthly_held = monthly_held - h.monthly_pence,
    version = version + (charge > 0)::integer + (to_wallet + to_monthly > 0)::integer + (expired > 0)::integer
  where account_id = h.account_id
  returning * into funds;
  at := clock_timestamp();

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
  if to_wallet + to_monthly > 0 then
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values (release_transfer, funds.version, h.account_id, h.job_id, hold, funds.debt, at, digest,
      'hold_release', 'settle/' || hold || '/hold_release', 'Reserved credits returned',
      case when h.monthly_released_pence = expired then '{wallet,wallet_held}'::text[]
        else array_remove(array[case when to_monthly > 0 then 'monthly' end, 'monthly_held',
          case when to_wallet > 0 then 'wallet' end, case when h.wallet_released_pence > 0 then 'wallet_held' end], null) end,
      case when h.monthly_released_pence = expired then array[to_wallet, -to_wallet]
        else array_remove(array[nullif(to_monthly, 0), -h.monthly_released_pence,
          nullif(to_wallet, 0), nullif(-h.wallet_released_pence, 0)], null) end,
      funds.wallet, funds.wallet_held, funds.monthly, funds.monthly_held);
    funds.version := funds.version - 1;
  end if;
  if charge > 0 then
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values (charge_transfer, funds.version, h.account_id, h.job_id, hold, funds.debt, at, digest,
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
