import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The two movements that every job makes, as functions: one round trip and one short text for each. As one statement of
 * many parts each cost PostgreSQL a quarter more, most of it for setting up parts that do little. They do what
 * `splitHold` and `settleLots` (domain/ledger.ts) say; a property test holds them to that.
 *
 * Both lock the customer's balances first and the hold second, and read the clock under the lock: every statement of a
 * function sees what was committed until it began, so what waited for another movement reckons with its outcome.
 * The release before does not know of them and runs beside them on the same rows.
 */
export class LedgerMovements1764200000000 implements MigrationInterface {
  name = 'LedgerMovements1764200000000';

  /** Adds the functions. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [PLACE, SETTLE]) await runner.query(sql);
  }

  /** Removes them. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function ledger_place_hold, ledger_settle_hold');
  }
}

const TRANSFER_COLUMNS = `id, version, account_id, job_id, hold_id, debt_after, created_at, input_sha256, kind, idempotency_key,
    description, accounts, amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after`;

/**
 * `available`: what there was to take, null when the customer has no balances. `placed`: by this call; a hold that is
 * there already, on whatever terms, stays as it is.
 */
const PLACE = `
create function ledger_place_hold(hold uuid, customer uuid, job uuid, nth integer, amount bigint, transfer uuid, digest text,
  out available bigint, out placed boolean) language plpgsql as $$
declare
  funds ledger_balances;
  at timestamptz;
  of_monthly bigint;
  of_wallet bigint;
begin
  select * into funds from ledger_balances where account_id = customer for no key update;
  at := clock_timestamp();
  of_monthly := case when funds.monthly_ends_at > at then funds.monthly else 0 end;
  available := funds.wallet + of_monthly;
  placed := coalesce(available >= amount, false);
  if not placed then return; end if;
  of_monthly := least(amount, of_monthly);
  of_wallet := amount - of_monthly;

  insert into holds (id, account_id, job_id, execution, held_pence, monthly_pence, monthly_ends_at, wallet_pence, created_at)
  values (hold, customer, job, nth, amount, of_monthly, case when of_monthly > 0 then funds.monthly_ends_at end, of_wallet, at)
  on conflict (id) do nothing;
  placed := found;
  if not placed or amount = 0 then return; end if;

  insert into ledger_transfers (${TRANSFER_COLUMNS})
  values (transfer, funds.version + 1, customer, job, hold, funds.debt, at, digest,
    'hold', 'hold/' || hold, 'Credits reserved for a job',
    case when of_monthly = 0 then '{wallet,wallet_held}'::text[] when of_wallet = 0 then '{monthly,monthly_held}'
      else '{monthly,monthly_held,wallet,wallet_held}' end,
    case when of_monthly = 0 then array[-of_wallet, of_wallet] when of_wallet = 0 then array[-of_monthly, of_monthly]
      else array[-of_monthly, of_monthly, -of_wallet, of_wallet] end,
    funds.wallet - of_wallet, funds.wallet_held + of_wallet, funds.monthly - of_monthly, funds.monthly_held + of_monthly);
  update ledger_balances set wallet = wallet - of_wallet, wallet_held = wallet_held + of_wallet,
    monthly = monthly - of_monthly, monthly_held = monthly_held + of_monthly, version = version + 1
  where account_id = customer;
end $$`;

/**
 * Null when the hold does not exist, was settled before, or holds less than the charge. Monthly credits whose period
 * has ended expire, or become wallet credit when the fault is ours.
 */
const SETTLE = `
create function ledger_settle_hold(hold uuid, charge bigint, fault_is_ours boolean, charge_transfer uuid, release_transfer uuid,
  expiry_transfer uuid, digest text, out charged bigint, out released bigint) language plpgsql as $$
declare
  funds ledger_balances;
  at timestamptz;
  h holds;
  to_monthly bigint := 0;
  to_wallet bigint;
  expired bigint := 0;
  latest bigint;
begin
  select * into funds from ledger_balances where account_id = (select account_id from holds where id = hold) for no key update;
  at := clock_timestamp();
  latest := funds.version;
  update holds set state = 'SETTLED', settled_at = at, charged_pence = charge, released_pence = held_pence - charge,
    monthly_charged_pence = least(charge, monthly_pence),
    monthly_released_pence = monthly_pence - least(charge, monthly_pence),
    wallet_charged_pence = charge - least(charge, monthly_pence),
    wallet_released_pence = wallet_pence - (charge - least(charge, monthly_pence))
  where id = hold and account_id = funds.account_id and state = 'OPEN' and charge <= held_pence
  returning * into h;
  if not found then return; end if;
  charged := charge;
  released := h.released_pence;

  if charge > 0 then
    latest := latest + 1;
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values (charge_transfer, latest, h.account_id, h.job_id, hold, funds.debt, at, digest,
      'charge', 'settle/' || hold || '/charge', 'Charge for verified tasks of a job',
      case when h.monthly_charged_pence = 0 then '{revenue,wallet_held}'::text[]
        when h.wallet_charged_pence = 0 then '{monthly_held,revenue}' else '{monthly_held,revenue,wallet_held}' end,
      case when h.monthly_charged_pence = 0 then array[charge, -charge] when h.wallet_charged_pence = 0 then array[-charge, charge]
        else array[-h.monthly_charged_pence, charge, -h.wallet_charged_pence] end,
      funds.wallet, funds.wallet_held - h.wallet_charged_pence, funds.monthly, funds.monthly_held - h.monthly_charged_pence);
  end if;

  to_wallet := h.wallet_released_pence;
  if h.monthly_released_pence > 0 then
    if h.monthly_ends_at > at then to_monthly := h.monthly_released_pence;
    elsif fault_is_ours then to_wallet := to_wallet + h.monthly_released_pence;
    else expired := h.monthly_released_pence;
    end if;
  end if;
  if to_monthly + to_wallet > 0 then
    latest := latest + 1;
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values (release_transfer, latest, h.account_id, h.job_id, hold, funds.debt, at, digest,
      'hold_release', 'settle/' || hold || '/hold_release', 'Reserved credits returned',
      case when to_wallet = h.wallet_released_pence and to_monthly = 0 then '{wallet,wallet_held}'::text[]
        else array_remove(array[case when to_monthly > 0 then 'monthly' end, 'monthly_held',
          case when to_wallet > 0 then 'wallet' end, case when h.wallet_released_pence > 0 then 'wallet_held' end], null) end,
      case when to_wallet = h.wallet_released_pence and to_monthly = 0 then array[to_wallet, -to_wallet]
        else array_remove(array[nullif(to_monthly, 0), -h.monthly_released_pence,
          nullif(to_wallet, 0), nullif(-h.wallet_released_pence, 0)], null) end,
      funds.wallet + to_wallet, funds.wallet_held - h.wallet_pence,
      funds.monthly + to_monthly, funds.monthly_held - h.monthly_pence + expired);
  end if;
  if expired > 0 then
    latest := latest + 1;
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    values (expiry_transfer, latest, h.account_id, h.job_id, hold, funds.debt, at, digest,
      'monthly_expiry', 'settle/' || hold || '/monthly_expiry', 'Reserved monthly credits whose period has ended',
      '{monthly_expired,monthly_held}', array[expired, -expired],
      funds.wallet + to_wallet, funds.wallet_held - h.wallet_pence, funds.monthly, funds.monthly_held - h.monthly_pence);
  end if;
  if latest > funds.version then
    update ledger_balances set wallet = wallet + to_wallet, wallet_held = wallet_held - h.wallet_pence,
      monthly = monthly + to_monthly, monthly_held = monthly_held - h.monthly_pence, version = latest
    where account_id = h.account_id;
  end if;
end $$`;
