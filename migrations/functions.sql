-- The functions of Dockyard, their triggers, and the checks that call functions. Loaded after schema.sql.
-- Triggers guard, and hold no other logic; a function that a service calls is rare, measured, and compared with a pure
-- reference by a property test. PostgreSQL reads the condition of a trigger and the text of a check anew for each statement that
-- writes, so on tables that every job writes both are short: a check names its row, and a condition asks only whether there is
-- anything to do. The text of a function is read once for a connection.

-- --------------------------------------------------------------------------------------------------------------
-- Checks of the ledger.
-- --------------------------------------------------------------------------------------------------------------

-- Whether a transfer sums to zero, over at least two different known accounts, no entry of which is nothing.
create function ledger_transfer_is_sound(
  kind text, accounts text[], amounts bigint[]
) returns boolean language plpgsql immutable parallel safe strict as $$
declare
  total bigint := 0;
  lines integer := cardinality(accounts);
begin
  if lines = 2 then -- Most transfers; one expression costs a third of what the loop does.
    return coalesce(kind = any(
      '{topup,topup_bonus,promo,monthly_grant,monthly_expiry,hold,hold_increase,hold_release,charge,refund,dispute,adjustment}'::text[])
      and accounts <@
      '{wallet,wallet_held,monthly,monthly_held,debt,stripe_clearing,tax_payable,
        bonus_expense,monthly_issued,monthly_expired,revenue,refunds,adjustments}'::text[]
      and cardinality(amounts) = 2
      and accounts[1] <> accounts[2] and amounts[1] <> 0 and amounts[1] = -amounts[2], false);
  end if;
  if lines < 2 or lines <> cardinality(amounts) or array_ndims(accounts) <> 1 or array_ndims(amounts) <> 1
    or array_lower(accounts, 1) <> 1 or array_lower(amounts, 1) <> 1
    or not accounts <@
      '{wallet,wallet_held,monthly,monthly_held,debt,stripe_clearing,tax_payable,
        bonus_expense,monthly_issued,monthly_expired,revenue,refunds,adjustments}'::text[]
    or kind <> all(
      '{topup,topup_bonus,promo,monthly_grant,monthly_expiry,hold,hold_increase,hold_release,charge,refund,dispute,adjustment}'::text[])
  then
    return false;
  end if;
  for line in 1 .. lines loop
    if amounts[line] is null or amounts[line] = 0 or array_position(accounts, accounts[line]) <> line then
      return false;
    end if;
    total := total + amounts[line];
  end loop;
  return total = 0;
end
$$;
alter table ledger_transfers
  add constraint ledger_transfers_sound check (ledger_transfer_is_sound(kind, accounts, amounts_pence));

-- Whether balances may stand so: no debt beside credits of the wallet, and nothing below zero. `least` looks over what is null.
create function balances_are_sound(
  b ledger_balances
) returns boolean language plpgsql immutable parallel safe strict as $$
begin
  return least(b.wallet, -b.debt) = 0 and least(b.wallet_held, b.monthly, b.monthly_held, b.version, b.job_limit_pence,
    b.month_limit_pence, b.month_charged_pence, b.low_balance_pence) >= 0;
end
$$;
alter table ledger_balances add constraint ledger_balances_signs check (balances_are_sound(ledger_balances));

-- Whether the sums of a hold are those of its lots, and a settled hold has charged or released all that it held.
create function hold_is_sound(h holds) returns boolean language plpgsql immutable parallel safe strict as $$
begin
  return h.state in ('OPEN', 'SETTLED') and h.held_pence = h.monthly_pence + h.wallet_pence + h.extended_pence
    and h.charged_pence = h.monthly_charged_pence + h.wallet_charged_pence + h.extended_charged_pence
    and h.released_pence = h.monthly_released_pence + h.wallet_released_pence + h.extended_released_pence
    and least(h.monthly_pence, h.monthly_charged_pence, h.monthly_released_pence, h.wallet_pence, h.wallet_charged_pence,
      h.wallet_released_pence, h.extended_pence, h.extended_charged_pence, h.extended_released_pence) >= 0
    and case h.state when 'OPEN' then h.charged_pence = 0 and h.released_pence = 0
      else h.monthly_charged_pence + h.monthly_released_pence = h.monthly_pence
        and h.wallet_charged_pence + h.wallet_released_pence = h.wallet_pence
        and h.extended_charged_pence + h.extended_released_pence = h.extended_pence end;
end
$$;
alter table holds add constraint holds_sound check (hold_is_sound(holds));

-- --------------------------------------------------------------------------------------------------------------
-- The movements that every job makes: one round trip and one short text for each. They do what `splitHold`, `settleLots` and
-- `payDebt` (src/domain/ledger.ts) say.
--
-- A hold is placed under the lock of the customer's balances, and everything that may refuse a hold is looked at under that lock.
-- When a hold is extended or settled, the hold is locked before the balances; so no transaction waits for a hold while it holds
-- balances. Each statement of a function sees what was committed before the statement began, so a statement that follows a wait
-- for a lock sees what the lock protected. Transfers take their time under the lock of the balances, so their times are in the
-- order of the lock.
-- --------------------------------------------------------------------------------------------------------------

-- Answers why so much may not be held, null when it may: `accountState`, `owedPence`, `availablePence`, or the `limit` of job or
-- month that it would pass, with `limitPence` and `restPence`. Called under the lock of the balances, under which the counters
-- change too. A hold of nothing is refused for the state of the account alone, because it spends nothing. The first part of a
-- job's first execution is all that the job costs so far.
create function ledger_refusal(
  funds ledger_balances, job uuid, is_first boolean, amount bigint, at timestamptz
) returns jsonb language plpgsql as $$
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
      - case when funds.month = date_trunc('month', timezone('UTC', at))::date then funds.month_charged_pence else 0 end;
    if rest < amount then
      return jsonb_build_object('limit', 'month', 'limitPence', funds.month_limit_pence, 'restPence', greatest(rest, 0));
    end if;
  end if;
  return null;
end
$$;

-- Places a hold. Answers null when this call placed it, else why it did not. A hold that exists already stays as it is, whatever
-- its terms, and the answer is `known` unless there is something to refuse. What is compared first refuses whenever
-- `ledger_refusal` would, and spares most calls that function.
create function ledger_reserve(
  hold uuid, customer uuid, job uuid, nth integer, caller uuid, amount bigint, transfer uuid, digest text
) returns jsonb language plpgsql as $$
declare
  funds ledger_balances;
  refusal jsonb;
  standing text;
  at timestamptz;
  of_monthly bigint;
  of_wallet bigint;
begin
  select * into funds from ledger_balances where account_id = customer for no key update;
  if not found then raise exception 'account % has no balances', customer using errcode = 'no_data_found'; end if;

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
  end if;
  if amount > 0 and funds.key_limits and caller is not null then
    update key_limits set held_pence = held_pence + amount
    where key_id = caller and month_limit_pence - held_pence
      - case when month = date_trunc('month', timezone('UTC', at))::date then month_charged_pence else 0 end >= amount;
    if not found then
      refusal := (select jsonb_build_object('limit', 'key', 'limitPence', month_limit_pence, 'restPence',
        greatest(month_limit_pence - held_pence
          - case when month = date_trunc('month', timezone('UTC', at))::date then month_charged_pence else 0 end, 0))
        from key_limits where key_id = caller);
      if refusal is not null then return refusal; end if;
    end if;
  end if;
  insert into holds (id, account_id, job_id, execution, held_pence, monthly_pence, monthly_period, wallet_pence, key_id,
    created_at)
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
  insert into ledger_transfers (id, version, account_id, job_id, hold_id, debt_after, created_at, input_sha256,
    kind, idempotency_key, description, accounts, amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after)
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
end
$$;

-- Places a further part of a hold. Answers null when this call placed the part, else why it did not: what would refuse a hold,
-- or `known` when the hold is not there, is settled, or does not wait for this part.
create function ledger_extend(
  hold uuid, nth integer, amount bigint, transfer uuid, digest text
) returns jsonb language plpgsql as $$
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

  if amount > 0 and funds.key_limits and caller is not null then
    update key_limits set held_pence = held_pence + amount
    where key_id = caller and month_limit_pence - held_pence
      - case when month = date_trunc('month', timezone('UTC', at))::date then month_charged_pence else 0 end >= amount;
    if not found then
      refusal := (select jsonb_build_object('limit', 'key', 'limitPence', month_limit_pence, 'restPence',
        greatest(month_limit_pence - held_pence
          - case when month = date_trunc('month', timezone('UTC', at))::date then month_charged_pence else 0 end, 0))
        from key_limits where key_id = caller);
      if refusal is not null then return refusal; end if;
    end if;
  end if;
  insert into hold_extensions (hold_id, part, monthly_pence, monthly_period, wallet_pence, created_at)
  values (hold, nth, of_monthly, case when of_monthly > 0 then funds.monthly_period end, of_wallet, at);
  update holds set extensions = nth, extended_pence = extended_pence + amount, held_pence = held_pence + amount where id = hold;

  insert into ledger_transfers (id, version, account_id, job_id, hold_id, debt_after, created_at, input_sha256,
    kind, idempotency_key, description, accounts, amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after)
  values (transfer, funds.version + 1, customer, job, hold, funds.debt, at, digest,
    'hold_increase', 'extend/' || hold || '/' || nth, 'More credits reserved for a job',
    case when of_monthly = 0 then '{wallet,wallet_held}'::text[] when of_wallet = 0 then '{monthly,monthly_held}'
      else '{monthly,monthly_held,wallet,wallet_held}' end,
    case when of_monthly = 0 or of_wallet = 0 then array[-amount, amount]
      else array[-of_monthly, of_monthly, -of_wallet, of_wallet] end,
    funds.wallet - of_wallet, funds.wallet_held + of_wallet, funds.monthly - of_monthly, funds.monthly_held + of_monthly);
  update ledger_balances set wallet = wallet - of_wallet, wallet_held = wallet_held + of_wallet,
    monthly = monthly - of_monthly, monthly_held = monthly_held + of_monthly, version = version + 1
  where account_id = customer;
  return null;
end
$$;

-- Settles a hold. Answers the amount that was released; null when the hold does not exist, was settled already, or holds less
-- than the charge. The charge takes the lots of the parts in their order. Monthly credits go back to the period that they are of
-- while it is the present one and lasts; else they expire, or become wallet credit when the service is at fault. What would reach
-- the wallet pays the debt first. The sums of all parts come together in `h` once the parts are settled.
create function ledger_settle(
  hold uuid, charge bigint, fault_is_ours boolean, charge_transfer uuid, release_transfer uuid, expiry_transfer uuid, digest text
) returns bigint language plpgsql as $$
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
  update holds set state = 'SETTLED', settled_at = clock_timestamp(),
    charged_pence = charge, released_pence = held_pence - charge,
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
  if date_trunc('month', timezone('UTC', at))::date > funds.month then
    -- The next month began while this settlement waited for the lock.
    this_month := date_trunc('month', timezone('UTC', at))::date;
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
    insert into ledger_transfers (id, version, account_id, job_id, hold_id, debt_after, created_at, input_sha256,
    kind, idempotency_key, description, accounts, amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after)
    values (expiry_transfer, funds.version, h.account_id, h.job_id, hold, funds.debt, at, digest,
      'monthly_expiry', 'settle/' || hold || '/monthly_expiry', 'Reserved monthly credits whose period has ended',
      '{monthly_expired,monthly_held}', array[expired, -expired],
      funds.wallet, funds.wallet_held, funds.monthly, funds.monthly_held);
    funds.version := funds.version - 1;
    funds.monthly_held := funds.monthly_held + expired;
  end if;
  if charge > 0 and to_wallet + to_monthly + to_debt > 0 then
    insert into ledger_transfers (id, version, account_id, job_id, hold_id, debt_after, created_at, input_sha256,
    kind, idempotency_key, description, accounts, amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after)
    values (release_transfer, funds.version, h.account_id, h.job_id, hold, funds.debt, at, digest,
      'hold_release', 'settle/' || hold || '/hold_release', 'Reserved credits returned',
      case when h.monthly_released_pence = expired and to_debt = 0 then '{wallet,wallet_held}'::text[]
        else array_remove(array[case when to_debt > 0 then 'debt' end, case when to_monthly > 0 then 'monthly' end,
          case when h.monthly_released_pence > expired then 'monthly_held' end, case when to_wallet > 0 then 'wallet' end,
          case when h.wallet_released_pence > 0 then 'wallet_held' end], null) end,
      case when h.monthly_released_pence = expired and to_debt = 0 then array[to_wallet, -to_wallet]
        else array_remove(array[nullif(to_debt, 0), nullif(to_monthly, 0), nullif(expired - h.monthly_released_pence, 0),
          nullif(to_wallet, 0), nullif(-h.wallet_released_pence, 0)], null) end,
      funds.wallet, funds.wallet_held, funds.monthly, funds.monthly_held),
    (charge_transfer, funds.version - 1, h.account_id, h.job_id, hold, funds.debt - to_debt, at, digest,
      'charge', 'settle/' || hold || '/charge', 'Charge for verified tasks of a job',
      case when h.monthly_charged_pence = 0 then '{revenue,wallet_held}'::text[]
        when h.wallet_charged_pence = 0 then '{monthly_held,revenue}' else '{monthly_held,revenue,wallet_held}' end,
      case when h.monthly_charged_pence = 0 then array[charge, -charge]
        when h.wallet_charged_pence = 0 then array[-charge, charge]
        else array[-h.monthly_charged_pence, charge, -h.wallet_charged_pence] end,
      funds.wallet - to_wallet, funds.wallet_held + h.wallet_released_pence, funds.monthly - to_monthly,
      funds.monthly_held + h.monthly_released_pence - expired);
  elsif charge > 0 then
    insert into ledger_transfers (id, version, account_id, job_id, hold_id, debt_after, created_at, input_sha256,
    kind, idempotency_key, description, accounts, amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after)
    values (charge_transfer, funds.version, h.account_id, h.job_id, hold, funds.debt - to_debt, at, digest,
      'charge', 'settle/' || hold || '/charge', 'Charge for verified tasks of a job',
      case when h.monthly_charged_pence = 0 then '{revenue,wallet_held}'::text[]
        when h.wallet_charged_pence = 0 then '{monthly_held,revenue}' else '{monthly_held,revenue,wallet_held}' end,
      case when h.monthly_charged_pence = 0 then array[charge, -charge]
        when h.wallet_charged_pence = 0 then array[-charge, charge]
        else array[-h.monthly_charged_pence, charge, -h.wallet_charged_pence] end,
      funds.wallet - to_wallet, funds.wallet_held + h.wallet_released_pence, funds.monthly - to_monthly,
      funds.monthly_held + h.monthly_released_pence - expired);
  elsif to_wallet + to_monthly + to_debt > 0 then
    insert into ledger_transfers (id, version, account_id, job_id, hold_id, debt_after, created_at, input_sha256,
    kind, idempotency_key, description, accounts, amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after)
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
  end if;
  return h.released_pence;
end
$$;

-- --------------------------------------------------------------------------------------------------------------
-- Rows that are never changed or removed.
-- --------------------------------------------------------------------------------------------------------------

-- Refuses a change of rows that are only ever added.
create function refuse_change() returns trigger language plpgsql as $$
begin raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation'; end
$$;
create trigger ledger_transfers_append_only before update or delete on ledger_transfers
for each row execute function refuse_change();
create trigger ledger_transfers_no_truncate before truncate on ledger_transfers
for each statement execute function refuse_change();
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function refuse_change();

-- Refuses the removal of rows that others are proven by.
create function refuse_removal() returns trigger language plpgsql as $$
begin raise exception 'rows of % are never removed', tg_table_name using errcode = 'restrict_violation'; end
$$;
create trigger ledger_balances_stay before delete on ledger_balances for each row execute function refuse_removal();
create trigger ledger_balances_no_truncate before truncate on ledger_balances
for each statement execute function refuse_removal();

-- --------------------------------------------------------------------------------------------------------------
-- Alerts of limits and balances, written in the transaction of the movement.
-- --------------------------------------------------------------------------------------------------------------

-- The highest step of a limit that an amount has reached, in percent; a limit of 0 has none.
create function alert_step(used bigint, most bigint) returns integer language sql immutable as $$
  select case when most = 0 then 0 when used >= most then 100 when used * 5 >= most * 4 then 80 when used * 2 >= most then 50
    else 0 end
$$;

-- Writes each step of a limit that was reached; a mail is due for the highest one.
create function write_alerts(
  owner uuid, of_kind text, of_subject uuid, used bigint, most bigint, in_month date
) returns void language sql as $$
  insert into alerts (account_id, kind, subject, period, threshold, limit_pence, reached_pence, mail_due)
  select owner, of_kind, of_subject, in_month, step, most, used, step = max(step) over ()
  from unnest(array[50, 80, 100]) step where used * 100 >= most * step
  on conflict do nothing
$$;

-- Writes the steps of the account's limit that a row has reached and had not reached before, and a balance that fell too low. In
-- a new month, and with another limit, a row had reached none. What was charged in an earlier month counts for the cheap first
-- question alone. A day has one alert of a low balance at most: each hold would be one while the balance is about that low.
create function alert_of_balances() returns trigger language plpgsql as $$
declare
  this_month date;
  used bigint;
  used_before bigint := 0;
begin
  if (new.wallet_held + new.monthly_held + new.month_charged_pence) * 2 >= new.month_limit_pence
    and new.month_limit_pence > 0
  then
    this_month := date_trunc('month', timezone('UTC', clock_timestamp()))::date;
    used := new.wallet_held + new.monthly_held + case when new.month = this_month then new.month_charged_pence else 0 end;
    if tg_op = 'UPDATE' and old.month = this_month and old.month_limit_pence = new.month_limit_pence then
      used_before := old.wallet_held + old.monthly_held + old.month_charged_pence;
    end if;
    if alert_step(used, new.month_limit_pence) > alert_step(used_before, new.month_limit_pence) then
      perform write_alerts(new.account_id, 'account-limit', new.account_id, used, new.month_limit_pence, this_month);
    end if;
  end if;
  if new.wallet + new.monthly < new.low_balance_pence
    and (old.low_balance_pence is distinct from new.low_balance_pence or old.wallet + old.monthly >= old.low_balance_pence)
  then
    insert into alerts (account_id, kind, subject, period, threshold, limit_pence, reached_pence, mail_due)
    values (new.account_id, 'low-balance', new.account_id, timezone('UTC', clock_timestamp())::date, 0, new.low_balance_pence,
      new.wallet + new.monthly, true)
    on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger ledger_balances_alert after update on ledger_balances for each row
when (new.month_limit_pence is not null or new.low_balance_pence is not null) execute function alert_of_balances();

-- Does the same for the limit of a line of keys.
create function alert_of_key_limits() returns trigger language plpgsql as $$
declare
  this_month date;
  used bigint;
  used_before bigint := 0;
begin
  if (new.held_pence + new.month_charged_pence) * 2 >= new.month_limit_pence
    and new.month_limit_pence > 0
  then
    this_month := date_trunc('month', timezone('UTC', clock_timestamp()))::date;
    used := new.held_pence + case when new.month = this_month then new.month_charged_pence else 0 end;
    if tg_op = 'UPDATE' and old.month = this_month and old.month_limit_pence = new.month_limit_pence then
      used_before := old.held_pence + old.month_charged_pence;
    end if;
    if alert_step(used, new.month_limit_pence) > alert_step(used_before, new.month_limit_pence) then
      perform write_alerts(new.account_id, 'key-limit', new.key_id, used, new.month_limit_pence, this_month);
    end if;
  end if;
  return null;
end
$$;
create trigger key_limits_alert after update on key_limits for each row
when ((new.held_pence + new.month_charged_pence) * 2 >= new.month_limit_pence) execute function alert_of_key_limits();
create trigger key_limits_alert_at_once after insert on key_limits for each row execute function alert_of_key_limits();

-- --------------------------------------------------------------------------------------------------------------
-- The revocation epoch, by which processes empty their caches of keys. It moves in the transaction of the change and once for
-- each statement, so that no writer can forget it, an operator's own statement included.
-- --------------------------------------------------------------------------------------------------------------

insert into revocation_epoch default values;

-- Moves the epoch when a statement has changed what keys stand for. The arguments name the columns that do not count, because
-- authentication does not read them; a column that is added later counts until a trigger names it, too.
create function move_epoch_if_changed() returns trigger language plpgsql as $$
begin
  if exists (select to_jsonb(before) - tg_argv from before except select to_jsonb(after) - tg_argv from after) then
    update revocation_epoch set epoch = epoch + 1;
    perform pg_notify('dockyard_revoked', epoch::text) from revocation_epoch;
  end if;
  return null;
end
$$;
create trigger accounts_move_epoch after update on accounts referencing old table as before new table as after
for each statement execute function move_epoch_if_changed('created_at');
create trigger api_keys_move_epoch after update on api_keys referencing old table as before new table as after
for each statement execute function move_epoch_if_changed('name', 'prefix', 'last4', 'created_at', 'last_used_at');

-- Moves the epoch when a statement has removed rows.
create function move_epoch_if_gone() returns trigger language plpgsql as $$
begin
  if exists (select from before) then
    update revocation_epoch set epoch = epoch + 1;
    perform pg_notify('dockyard_revoked', epoch::text) from revocation_epoch;
  end if;
  return null;
end
$$;
create trigger api_keys_move_epoch_at_end after delete on api_keys referencing old table as before
for each statement execute function move_epoch_if_gone();

-- --------------------------------------------------------------------------------------------------------------
-- The time of a job's state.
-- --------------------------------------------------------------------------------------------------------------

-- Keeps since when a job is in its state, whichever statement writes the state.
create function jobs_status_at() returns trigger language plpgsql as $$
begin new.status_at := now(); return new; end
$$;
create trigger jobs_status_at before update of status on jobs for each row
when (old.status is distinct from new.status) execute function jobs_status_at();
