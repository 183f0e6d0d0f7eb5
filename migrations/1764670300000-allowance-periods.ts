import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Allowance periods with ids, and holds of several parts.
 *
 * Until now the end of a period stood for the period: a hold whose period had been followed by the next one before its time
 * gave its rest back to the next one, so that £20 of allowance became £40. Now the monthly balance and every monthly lot
 * name their period, and a lot goes back into that period only.
 *
 * The first part of a hold stays in the columns of the hold, because every job has that part, and most jobs have no other.
 * A row of `hold_extensions` is a later part, with lots of its own. `hold_parts` shows all parts of all holds.
 */
export class AllowancePeriods1764670300000 implements MigrationInterface {
  name = 'AllowancePeriods1764670300000';

  /** Gives each end that balances and holds name a period; holds get room for extensions. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [PERIODS, HOLDS, EXTENSIONS]) await runner.query(sql);
  }

  /** Lets ends stand for periods again; the parts of a hold become one. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(BACK);
  }
}

const PERIODS = `
  create table allowance_periods (
    id uuid primary key,
    account_id uuid not null references accounts,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    granted_pence bigint not null check (granted_pence >= 0),
    created_at timestamptz not null default now(),
    check (starts_at < ends_at)
  );
  create index allowance_periods_account on allowance_periods (account_id, ends_at);
  update ledger_balances set monthly_ends_at = now() where monthly > 0 and monthly_ends_at is null;
  update holds set monthly_ends_at = created_at where monthly_pence > 0 and monthly_ends_at is null;
  insert into allowance_periods (id, account_id, starts_at, ends_at, granted_pence)
  select gen_random_uuid(), account_id, ends_at - interval '1 month', ends_at, sum(pence)
  from (
    select account_id, monthly_ends_at as ends_at, monthly as pence from ledger_balances where monthly_ends_at is not null
    union all
    select account_id, monthly_ends_at, monthly_pence - monthly_released_pence from holds where monthly_pence > 0
  ) lots
  group by account_id, ends_at;
  alter table ledger_balances add column monthly_period uuid;
  update ledger_balances b set monthly_period = p.id
  from allowance_periods p where p.account_id = b.account_id and p.ends_at = b.monthly_ends_at;
`;

const HOLDS = `
  alter table holds add column monthly_period uuid, add column extensions integer not null default 0,
    add column extended_pence bigint not null default 0, add column extended_charged_pence bigint not null default 0,
    add column extended_released_pence bigint not null default 0;
  update holds h set monthly_period = p.id
  from allowance_periods p where h.monthly_pence > 0 and p.account_id = h.account_id and p.ends_at = h.monthly_ends_at;
  create function hold_is_whole(state text, held bigint, charged bigint, released bigint, monthly bigint,
    monthly_charged bigint, monthly_released bigint, wallet bigint, wallet_charged bigint, wallet_released bigint,
    extended bigint, extended_charged bigint, extended_released bigint)
  returns boolean language plpgsql immutable strict parallel safe as $$
    begin
      return state in ('OPEN', 'SETTLED') and held = monthly + wallet + extended
        and charged = monthly_charged + wallet_charged + extended_charged
        and released = monthly_released + wallet_released + extended_released
        and least(monthly, monthly_charged, monthly_released, wallet, wallet_charged, wallet_released,
          extended, extended_charged, extended_released) >= 0
        and case state when 'OPEN' then charged = 0 and released = 0
          else monthly_charged + monthly_released = monthly and wallet_charged + wallet_released = wallet
            and extended_charged + extended_released = extended end;
    end $$;
  alter table holds drop column monthly_ends_at, drop constraint holds_sound,
    add constraint holds_sound check (hold_is_whole(state, held_pence, charged_pence, released_pence, monthly_pence,
      monthly_charged_pence, monthly_released_pence, wallet_pence, wallet_charged_pence, wallet_released_pence,
      extended_pence, extended_charged_pence, extended_released_pence));
  drop function hold_is_sound;
`;

const EXTENSIONS = `
  create table hold_extensions (
    hold_id uuid not null references holds,
    part integer not null check (part > 0),
    monthly_pence bigint not null,
    monthly_period uuid,
    monthly_charged_pence bigint not null default 0,
    monthly_released_pence bigint not null default 0,
    wallet_pence bigint not null,
    wallet_charged_pence bigint not null default 0,
    wallet_released_pence bigint not null default 0,
    created_at timestamptz not null,
    primary key (hold_id, part),
    constraint hold_extensions_lots check (least(monthly_pence, monthly_charged_pence, monthly_released_pence, wallet_pence, wallet_charged_pence,
      wallet_released_pence) >= 0 and monthly_pence + wallet_pence > 0),
    constraint hold_extensions_whole check (monthly_charged_pence + monthly_released_pence in (0, monthly_pence)
      and wallet_charged_pence + wallet_released_pence in (0, wallet_pence)),
    constraint hold_extensions_period check ((monthly_pence > 0) = (monthly_period is not null))
  );
  create view hold_parts as
  select id as hold_id, 0 as part, account_id, job_id, monthly_pence, monthly_period, monthly_charged_pence,
    monthly_released_pence, wallet_pence, wallet_charged_pence, wallet_released_pence, created_at
  from holds
  union all
  select e.hold_id, e.part, h.account_id, h.job_id, e.monthly_pence, e.monthly_period, e.monthly_charged_pence,
    e.monthly_released_pence, e.wallet_pence, e.wallet_charged_pence, e.wallet_released_pence, e.created_at
  from hold_extensions e join holds h on h.id = e.hold_id;
`;

const BACK = `
  drop view hold_parts;
  alter table holds drop constraint holds_sound, add column monthly_ends_at timestamptz;
  update holds h set monthly_ends_at = p.ends_at from allowance_periods p where p.id = h.monthly_period;
  update holds h set monthly_pence = h.monthly_pence + e.monthly, wallet_pence = h.wallet_pence + e.wallet,
    monthly_charged_pence = h.monthly_charged_pence + e.monthly_charged, wallet_charged_pence = h.wallet_charged_pence + e.wallet_charged,
    monthly_released_pence = h.monthly_released_pence + e.monthly_released,
    wallet_released_pence = h.wallet_released_pence + e.wallet_released,
    monthly_ends_at = coalesce(e.ends_at, h.monthly_ends_at)
  from (
    select x.hold_id, sum(x.monthly_pence) as monthly, sum(x.wallet_pence) as wallet,
      sum(x.monthly_charged_pence) as monthly_charged, sum(x.wallet_charged_pence) as wallet_charged,
      sum(x.monthly_released_pence) as monthly_released, sum(x.wallet_released_pence) as wallet_released,
      max(p.ends_at) as ends_at
    from hold_extensions x left join allowance_periods p on p.id = x.monthly_period group by x.hold_id) e
  where e.hold_id = h.id;
  drop table hold_extensions;
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
  alter table holds drop column monthly_period, drop column extensions, drop column extended_pence,
    drop column extended_charged_pence, drop column extended_released_pence,
    add constraint holds_sound check (hold_is_sound(state, held_pence, charged_pence, released_pence, monthly_pence,
      monthly_charged_pence, monthly_released_pence, wallet_pence, wallet_charged_pence, wallet_released_pence));
  drop function hold_is_whole;
  alter table ledger_balances drop column monthly_period;
  drop table allowance_periods;
`;
