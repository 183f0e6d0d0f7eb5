import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The ledger in few rows, so that a movement is one statement: the balances of a customer are one row, the lines of a
 * transfer are arrays inside its row, and the two lots of a hold are columns of the hold. The database itself now
 * refuses a transfer that is not balanced. The end of the monthly period stands beside the credits that it limits,
 * under the same lock.
 *
 * Checks of many terms are functions: PostgreSQL reads the text of a check anew for every statement that writes, and
 * the text of a function only once a connection. Transfers and holds are written from the balances that they lock and
 * have no foreign key to them, because the key would cost a tenth of a movement; balances cannot be deleted, and the
 * audit finds a transfer or hold without balances. Rows of both shapes cannot be written side by side: processes of the
 * release before must be stopped first.
 */
export class LedgerRows1764100000000 implements MigrationInterface {
  name = 'LedgerRows1764100000000';

  /** Converts every account, transfer, entry, hold and lot. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [BALANCES, TRANSFERS, HOLDS, VIEW]) await runner.query(sql);
  }

  /** Converts the rows back. */
  async down(runner: QueryRunner): Promise<void> {
    for (const sql of [OLD_ACCOUNTS, OLD_ENTRIES, OLD_HOLDS, OLD_BALANCES]) await runner.query(sql);
  }
}

const BALANCES = `
  create table ledger_balances (
    account_id uuid primary key references accounts,
    wallet bigint not null default 0,
    wallet_held bigint not null default 0,
    monthly bigint not null default 0,
    monthly_held bigint not null default 0,
    debt bigint not null default 0,
    monthly_ends_at timestamptz,
    version bigint not null default 0,
    constraint ledger_balances_not_negative check (least(wallet, wallet_held, monthly, monthly_held, debt, version) >= 0)
  ) with (fillfactor = 50);
  insert into ledger_balances (account_id, wallet, wallet_held, monthly, monthly_held, debt, monthly_ends_at, version)
  select a.id, ${['wallet', 'wallet_held', 'monthly', 'monthly_held', 'debt']
    .map((kind) => `coalesce(sum(l.balance_pence) filter (where l.kind = '${kind}'), 0)`)
    .join(', ')},
    a.monthly_reset_at, (select count(*) from ledger_transfers t where t.account_id = a.id)
  from accounts a join ledger_accounts l on l.account_id = a.id group by a.id;
  alter table accounts drop column monthly_reset_at;
  create function refuse_removal() returns trigger language plpgsql as $$
    begin raise exception 'rows of % are never removed', tg_table_name using errcode = 'restrict_violation'; end $$;
  create trigger ledger_balances_stay before delete on ledger_balances for each row execute function refuse_removal();
  create trigger ledger_balances_no_truncate before truncate on ledger_balances execute function refuse_removal();
`;

const KINDS = `'{topup,topup_bonus,promo,monthly_grant,monthly_expiry,hold,hold_increase,hold_release,charge,refund,dispute,adjustment}'::text[]`;

const ACCOUNTS = `'{wallet,wallet_held,monthly,monthly_held,debt,stripe_clearing,bonus_expense,monthly_issued,monthly_expired,revenue,refunds,adjustments}'::text[]`;

const TRANSFERS = `
  drop trigger ledger_transfers_append_only on ledger_transfers;
  alter table ledger_transfers add column version bigint, add column accounts text[], add column amounts_pence bigint[],
    add column wallet_after bigint, add column wallet_held_after bigint, add column monthly_after bigint,
    add column monthly_held_after bigint, add column debt_after bigint;
  with lines as (
    select e.transfer_id, min(e.id) as first_entry, array_agg(a.kind order by e.id) as accounts,
      array_agg(e.amount_pence order by e.id) as amounts, sum(e.amount_pence) filter (where a.kind = 'wallet') as wallet,
      sum(e.amount_pence) filter (where a.kind = 'wallet_held') as wallet_held,
      sum(e.amount_pence) filter (where a.kind = 'monthly') as monthly,
      sum(e.amount_pence) filter (where a.kind = 'monthly_held') as monthly_held,
      sum(e.amount_pence) filter (where a.kind = 'debt') as debt
    from ledger_entries e join ledger_accounts a on a.id = e.ledger_account_id group by e.transfer_id
  ), chain as (
    select t.id, l.accounts, l.amounts, row_number() over earlier as version,
      coalesce(sum(l.wallet) over earlier, 0) as wallet, coalesce(sum(l.wallet_held) over earlier, 0) as wallet_held,
      coalesce(sum(l.monthly) over earlier, 0) as monthly, coalesce(sum(l.monthly_held) over earlier, 0) as monthly_held,
      coalesce(sum(l.debt) over earlier, 0) as debt
    from ledger_transfers t join lines l on l.transfer_id = t.id
    window earlier as (partition by t.account_id order by l.first_entry rows unbounded preceding)
  )
  update ledger_transfers t set version = c.version, accounts = c.accounts, amounts_pence = c.amounts,
    wallet_after = c.wallet, wallet_held_after = c.wallet_held, monthly_after = c.monthly,
    monthly_held_after = c.monthly_held, debt_after = c.debt
  from chain c where c.id = t.id;
  create function ledger_transfer_is_sound(kind text, accounts text[], amounts bigint[]) returns boolean
  language plpgsql immutable strict parallel safe as $$
    declare
      total bigint := 0;
      lines integer := cardinality(accounts);
    begin
      if lines = 2 then -- Most transfers; one expression costs a third of what the loop does.
        return coalesce(kind = any(${KINDS}) and accounts <@ ${ACCOUNTS} and cardinality(amounts) = 2
          and accounts[1] <> accounts[2] and amounts[1] <> 0 and amounts[1] = -amounts[2], false);
      end if;
      if lines < 2 or lines <> cardinality(amounts) or array_ndims(accounts) <> 1 or array_ndims(amounts) <> 1
        or array_lower(accounts, 1) <> 1 or array_lower(amounts, 1) <> 1
        or not accounts <@ ${ACCOUNTS} or kind <> all(${KINDS})
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
    end $$;
  alter table ledger_transfers alter column version set not null, alter column accounts set not null,
    alter column amounts_pence set not null, alter column wallet_after set not null,
    alter column wallet_held_after set not null, alter column monthly_after set not null,
    alter column monthly_held_after set not null, alter column debt_after set not null,
    drop constraint ledger_transfers_kind_check,
    add constraint ledger_transfers_sound check (ledger_transfer_is_sound(kind, accounts, amounts_pence)),
    drop constraint ledger_transfers_account_id_fkey;
  drop table ledger_entries, ledger_accounts;
  create unique index ledger_transfers_version on ledger_transfers (account_id, version);
  drop index ledger_transfers_hold;
  create trigger ledger_transfers_append_only before update or delete on ledger_transfers
    for each row execute function refuse_change();
`;

const HOLDS = `
  alter table holds add column monthly_pence bigint not null default 0, add column monthly_ends_at timestamptz,
    add column monthly_charged_pence bigint not null default 0, add column monthly_released_pence bigint not null default 0,
    add column wallet_pence bigint not null default 0, add column wallet_charged_pence bigint not null default 0,
    add column wallet_released_pence bigint not null default 0;
  update holds h set monthly_pence = l.monthly, monthly_ends_at = l.ends_at, monthly_charged_pence = l.monthly_charged,
    monthly_released_pence = l.monthly_released, wallet_pence = l.wallet, wallet_charged_pence = l.wallet_charged,
    wallet_released_pence = l.wallet_released
  from (
    select hold_id, max(period_ends_at) as ends_at,
      coalesce(sum(amount_pence) filter (where bucket = 'monthly'), 0) as monthly,
      coalesce(sum(charged_pence) filter (where bucket = 'monthly'), 0) as monthly_charged,
      coalesce(sum(released_pence) filter (where bucket = 'monthly'), 0) as monthly_released,
      coalesce(sum(amount_pence) filter (where bucket = 'wallet'), 0) as wallet,
      coalesce(sum(charged_pence) filter (where bucket = 'wallet'), 0) as wallet_charged,
      coalesce(sum(released_pence) filter (where bucket = 'wallet'), 0) as wallet_released
    from hold_lots group by hold_id) l
  where l.hold_id = h.id;
  drop table hold_lots;
  create function hold_is_sound(state text, held bigint, charged bigint, released bigint, monthly bigint,
    monthly_charged bigint, monthly_released bigint, wallet bigint, wallet_charged bigint, wallet_released bigint)
  returns boolean language plpgsql immutable strict parallel safe as $$
    begin
      return state in ('OPEN', 'SETTLED') and held = monthly + wallet and charged = monthly_charged + wallet_charged
        and released = monthly_released + wallet_released
        and least(monthly, monthly_charged, monthly_released, wallet, wallet_charged, wallet_released) >= 0
        and case state when 'OPEN' then charged = 0 and released = 0
          else monthly_charged + monthly_released = monthly and wallet_charged + wallet_released = wallet end;
    end $$;
  alter table holds alter column monthly_pence drop default, alter column wallet_pence drop default,
    drop constraint holds_state_check, drop constraint holds_held_pence_check, drop constraint holds_charged_pence_check,
    drop constraint holds_released_pence_check, drop constraint holds_check,
    add constraint holds_sound check (hold_is_sound(state, held_pence, charged_pence, released_pence, monthly_pence,
      monthly_charged_pence, monthly_released_pence, wallet_pence, wallet_charged_pence, wallet_released_pence)),
    drop constraint holds_account_id_fkey, set (fillfactor = 70);
`;

const VIEW = `
  create view ledger_entries as
  select t.id as transfer_id, l.ordinal::integer as ordinal, t.account_id, t.hold_id, t.version, t.kind, l.account, l.amount_pence,
    case l.account when 'wallet' then t.wallet_after when 'wallet_held' then t.wallet_held_after
      when 'monthly' then t.monthly_after when 'monthly_held' then t.monthly_held_after
      when 'debt' then t.debt_after end as balance_after_pence,
    t.created_at
  from ledger_transfers t cross join lateral unnest(t.accounts, t.amounts_pence) with ordinality l(account, amount_pence, ordinal);
`;

const CUSTOMER_KINDS = `unnest(array['wallet', 'wallet_held', 'monthly', 'monthly_held', 'debt'],
    array[b.wallet, b.wallet_held, b.monthly, b.monthly_held, b.debt]) k(kind, pence)`;

const OLD_ACCOUNTS = `
  create table ledger_accounts (
    id bigint generated always as identity primary key,
    account_id uuid references accounts,
    kind text not null,
    balance_pence bigint check (balance_pence >= 0),
    version bigint,
    unique nulls not distinct (account_id, kind),
    check (case when account_id is null
      then kind in ('stripe_clearing', 'bonus_expense', 'monthly_issued', 'monthly_expired', 'revenue', 'refunds', 'adjustments')
        and balance_pence is null and version is null
      else kind in ('wallet', 'wallet_held', 'monthly', 'monthly_held', 'debt')
        and balance_pence is not null and version is not null end)
  );
  insert into ledger_accounts (kind) values ('stripe_clearing'), ('bonus_expense'), ('monthly_issued'),
    ('monthly_expired'), ('revenue'), ('refunds'), ('adjustments');
  insert into ledger_accounts (account_id, kind, balance_pence, version)
  select b.account_id, k.kind, k.pence,
    (select count(*) from ledger_transfers t where t.account_id = b.account_id and k.kind = any(t.accounts))
  from ledger_balances b cross join lateral ${CUSTOMER_KINDS} order by b.account_id, k.kind;
`;

const OLD_ENTRIES = `
  alter view ledger_entries rename to ledger_lines;
  create table ledger_entries (
    id bigint generated always as identity primary key,
    transfer_id uuid not null references ledger_transfers,
    ledger_account_id bigint not null references ledger_accounts,
    amount_pence bigint not null check (amount_pence <> 0),
    balance_after_pence bigint,
    version bigint
  );
  insert into ledger_entries (transfer_id, ledger_account_id, amount_pence, balance_after_pence, version)
  select l.transfer_id, a.id, l.amount_pence, l.balance_after_pence, case when a.account_id is not null
    then row_number() over (partition by a.id order by l.version) end
  from ledger_lines l join ledger_accounts a on a.kind = l.account and (a.account_id = l.account_id or a.account_id is null)
  order by l.account_id, l.version, l.ordinal;
  create index ledger_entries_transfer on ledger_entries (transfer_id);
  create unique index ledger_entries_version on ledger_entries (ledger_account_id, version) where version is not null;
  create index ledger_entries_account on ledger_entries (ledger_account_id, id);
  create trigger ledger_entries_append_only before update or delete on ledger_entries
    for each row execute function refuse_change();
  create trigger ledger_entries_no_truncate before truncate on ledger_entries execute function refuse_change();
  drop view ledger_lines;
  drop index ledger_transfers_version;
  alter table ledger_transfers drop constraint ledger_transfers_sound, drop column version, drop column accounts,
    drop column amounts_pence, drop column wallet_after, drop column wallet_held_after, drop column monthly_after,
    drop column monthly_held_after, drop column debt_after,
    add check (kind in ('topup', 'topup_bonus', 'promo', 'monthly_grant', 'monthly_expiry', 'hold',
      'hold_increase', 'hold_release', 'charge', 'refund', 'dispute', 'adjustment')),
    add foreign key (account_id) references accounts;
  drop function ledger_transfer_is_sound;
  create index ledger_transfers_hold on ledger_transfers (hold_id);
`;

const OLD_HOLDS = `
  create table hold_lots (
    hold_id uuid not null references holds,
    ordinal integer not null,
    bucket text not null check (bucket in ('wallet', 'monthly')),
    period_ends_at timestamptz,
    amount_pence bigint not null check (amount_pence > 0),
    charged_pence bigint not null default 0,
    released_pence bigint not null default 0,
    primary key (hold_id, ordinal),
    check (charged_pence >= 0 and released_pence >= 0 and charged_pence + released_pence <= amount_pence)
  );
  insert into hold_lots (hold_id, ordinal, bucket, period_ends_at, amount_pence, charged_pence, released_pence)
  select id, 0, 'monthly', monthly_ends_at, monthly_pence, monthly_charged_pence, monthly_released_pence
  from holds where monthly_pence > 0;
  insert into hold_lots (hold_id, ordinal, bucket, period_ends_at, amount_pence, charged_pence, released_pence)
  select id, case when monthly_pence > 0 then 1 else 0 end, 'wallet', null, wallet_pence, wallet_charged_pence, wallet_released_pence
  from holds where wallet_pence > 0;
  alter table holds drop constraint holds_sound, drop column monthly_pence, drop column monthly_ends_at,
    drop column monthly_charged_pence, drop column monthly_released_pence, drop column wallet_pence,
    drop column wallet_charged_pence, drop column wallet_released_pence,
    add check (state in ('OPEN', 'SETTLED')), add check (held_pence >= 0), add check (charged_pence >= 0),
    add check (released_pence >= 0), add check (state = 'OPEN' or charged_pence + released_pence = held_pence),
    add foreign key (account_id) references accounts, reset (fillfactor);
  drop function hold_is_sound;
`;

const OLD_BALANCES = `
  alter table accounts add column monthly_reset_at timestamptz;
  update accounts a set monthly_reset_at = b.monthly_ends_at from ledger_balances b where b.account_id = a.id;
  drop table ledger_balances;
  drop function refuse_removal;
`;
