import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The spine: accounts and keys, the ledger, jobs with their executions, tasks and instances,
 * stored objects and artifacts, idempotency of writes.
 *
 * Ledger entries and transfers are append-only by trigger; that is the only logic that lives in the database.
 */
export class Spine1763700000000 implements MigrationInterface {
  name = 'Spine1763700000000';

  /** Creates every table of the first release. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [IDENTITY, LEDGER, JOBS, COMPUTE, STORAGE, IDEMPOTENCY]) await runner.query(sql);
  }

  /** Drops the tables, children first. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table idempotency_keys, artifacts, job_inputs, stored_objects, service_heartbeats, capacity_requests, task_logs,
        recoveries, instances, tasks, hold_lots, holds, job_executions, jobs, ledger_entries, ledger_transfers,
        ledger_accounts, revocation_epoch, api_keys, users, accounts;
      drop function refuse_change;
    `);
  }
}

const IDENTITY = `
  create table accounts (
    id uuid primary key,
    plan text not null default 'free' check (plan in ('free', 'pro')),
    monthly_reset_at timestamptz,
    created_at timestamptz not null default now()
  );
  create table users (
    id uuid primary key,
    account_id uuid not null references accounts,
    email text not null,
    created_at timestamptz not null default now()
  );
  create unique index users_email on users (lower(email));
  create index users_account on users (account_id);
  create table api_keys (
    id uuid primary key,
    account_id uuid not null references accounts,
    user_id uuid not null references users,
    name text not null check (length(name) between 1 and 100),
    environment text not null check (environment in ('live', 'test')),
    scopes text[] not null check (cardinality(scopes) > 0),
    secret_sha256 text not null unique,
    prefix text not null,
    last4 text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz
  );
  create index api_keys_account on api_keys (account_id, created_at);
  create table revocation_epoch (
    only_row boolean primary key default true check (only_row),
    epoch bigint not null default 0
  );
  insert into revocation_epoch default values;
`;

const LEDGER = `
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
  create table ledger_transfers (
    id uuid primary key,
    account_id uuid not null references accounts,
    kind text not null check (kind in ('topup', 'topup_bonus', 'promo', 'monthly_grant', 'monthly_expiry', 'hold',
      'hold_increase', 'hold_release', 'charge', 'refund', 'dispute', 'adjustment')),
    idempotency_key text not null unique,
    input_sha256 text not null,
    job_id uuid,
    hold_id uuid,
    tier_id text,
    reverses_id uuid references ledger_transfers,
    description text not null,
    created_at timestamptz not null default now()
  );
  create index ledger_transfers_account on ledger_transfers (account_id, created_at desc, id desc);
  create index ledger_transfers_hold on ledger_transfers (hold_id);
  create table ledger_entries (
    id bigint generated always as identity primary key,
    transfer_id uuid not null references ledger_transfers,
    ledger_account_id bigint not null references ledger_accounts,
    amount_pence bigint not null check (amount_pence <> 0),
    balance_after_pence bigint,
    version bigint
  );
  create index ledger_entries_transfer on ledger_entries (transfer_id);
  create unique index ledger_entries_version on ledger_entries (ledger_account_id, version) where version is not null;
  create index ledger_entries_account on ledger_entries (ledger_account_id, id);
  create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation'; end $$;
  create trigger ledger_transfers_append_only before update or delete on ledger_transfers
    for each row execute function refuse_change();
  create trigger ledger_entries_append_only before update or delete on ledger_entries
    for each row execute function refuse_change();
  create trigger ledger_transfers_no_truncate before truncate on ledger_transfers execute function refuse_change();
  create trigger ledger_entries_no_truncate before truncate on ledger_entries execute function refuse_change();
`;

const JOBS = `
  create table jobs (
    id uuid primary key,
    account_id uuid not null references accounts,
    user_id uuid not null references users,
    job_type text not null,
    job_name text,
    simulator text,
    provider text not null,
    status text not null check (status in ('SUBMITTED', 'QUEUED', 'PROVISIONING', 'RUNNING', 'RECOVERING', 'PAUSED',
      'FINALIZING', 'CANCELLING', 'SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED')),
    status_reason text,
    pause_reason text check (pause_reason in ('COST_LIMIT', 'CREDITS', 'LICENSE', 'OPERATOR')),
    execution integer not null default 1,
    request jsonb,
    request_key text,
    fingerprint text not null,
    idempotency_key text,
    submit_response jsonb not null,
    first_run_id text not null,
    unit text not null check (unit in ('frame', 'task', 'ligand')),
    task_total integer not null check (task_total > 0),
    tasks_verified integer not null default 0,
    tasks_failed integer not null default 0,
    recovery_mode text not null default 'standard' check (recovery_mode in ('standard', 'resumable')),
    recovery_count integer not null default 0,
    effective_seed integer,
    warnings jsonb not null default '[]',
    version bigint not null default 1,
    transition integer not null default 0,
    cancel_requested_at timestamptz,
    cancel_reason text,
    submitted_at timestamptz not null default now(),
    started_at timestamptz,
    updated_at timestamptz not null default now(),
    finished_at timestamptz,
    check ((request is null) <> (request_key is null))
  );
  create index jobs_account on jobs (account_id, submitted_at desc, id desc);
  create index jobs_open on jobs (status) where finished_at is null;
  create table holds (
    id uuid primary key,
    account_id uuid not null references accounts,
    job_id uuid not null,
    execution integer not null,
    state text not null default 'OPEN' check (state in ('OPEN', 'SETTLED')),
    held_pence bigint not null check (held_pence >= 0),
    charged_pence bigint not null default 0 check (charged_pence >= 0),
    released_pence bigint not null default 0 check (released_pence >= 0),
    created_at timestamptz not null default now(),
    settled_at timestamptz,
    unique (job_id, execution),
    check (state = 'OPEN' or charged_pence + released_pence = held_pence)
  );
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
  create table job_executions (
    job_id uuid not null references jobs,
    n integer not null,
    hold_id uuid not null references holds,
    quote jsonb not null,
    estimated_micro bigint not null,
    currency text not null,
    price_book_version text not null,
    fx_rate_micro bigint not null,
    outcome text,
    started_at timestamptz not null default now(),
    settled_at timestamptz,
    primary key (job_id, n)
  );
  create table tasks (
    job_id uuid not null references jobs,
    kind text not null check (kind in ('task', 'prepare', 'control', 'finish')),
    ordinal integer not null,
    item_id text not null,
    state text not null default 'PENDING' check (state in ('PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
    execution integer not null default 1,
    attempts integer not null default 0,
    losses integer not null default 0,
    slot integer,
    generation integer,
    progress_percent real not null default 0,
    summary jsonb,
    failure_code text,
    failure_message text,
    log_bytes bigint not null default 0,
    started_at timestamptz,
    finished_at timestamptz,
    primary key (job_id, kind, ordinal)
  );
  create index tasks_state on tasks (job_id, state) where state in ('RUNNING', 'FAILED');
  create table task_logs (
    job_id uuid not null,
    kind text not null,
    ordinal integer not null,
    attempt integer not null,
    from_byte bigint not null,
    to_byte bigint not null,
    storage_key text not null,
    primary key (job_id, kind, ordinal, attempt, from_byte)
  );
`;

const COMPUTE = `
  create table instances (
    job_id uuid not null references jobs,
    slot integer not null,
    generation integer not null,
    provider text not null,
    provider_id text,
    launch_token text not null unique,
    state text not null default 'LAUNCHING' check (state in ('LAUNCHING', 'RUNNING', 'TERMINATED')),
    vcpus integer not null,
    launched_at timestamptz not null default now(),
    last_contact_at timestamptz,
    fenced_at timestamptz,
    fence_cause text,
    terminated_at timestamptz,
    primary key (job_id, slot, generation)
  );
  create unique index instances_current on instances (job_id, slot) where fenced_at is null;
  create index instances_live on instances (state) where state <> 'TERMINATED';
  create table recoveries (
    id uuid primary key,
    job_id uuid not null references jobs,
    execution integer not null,
    slot integer not null,
    generation integer not null,
    cause text not null,
    tasks_kept integer not null,
    tasks_requeued integer not null,
    seconds_lost double precision not null,
    charged_pence bigint not null default 0 check (charged_pence = 0),
    created_at timestamptz not null default now(),
    unique (job_id, slot, generation)
  );
  create table capacity_requests (
    job_id uuid not null references jobs,
    execution integer not null,
    account_id uuid not null references accounts,
    vcpus integer not null check (vcpus > 0),
    priority integer not null,
    state text not null default 'WAITING' check (state in ('WAITING', 'GRANTED', 'RELEASED')),
    reason text,
    requested_at timestamptz not null default now(),
    granted_at timestamptz,
    released_at timestamptz,
    primary key (job_id, execution)
  );
  create index capacity_open on capacity_requests (state, requested_at) where state <> 'RELEASED';
  create table service_heartbeats (
    service text primary key,
    up_since timestamptz not null,
    beat_at timestamptz not null
  );
`;

const STORAGE = `
  create table stored_objects (
    storage_key text primary key,
    account_id uuid not null references accounts,
    upload_id uuid not null,
    filename text not null,
    content_type text not null,
    byte_size bigint not null check (byte_size >= 0),
    announced_sha256 text,
    sha256 text,
    project_id uuid,
    logical_path text,
    state text not null default 'ANNOUNCED' check (state in ('ANNOUNCED', 'VERIFIED', 'DELETED')),
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    verified_at timestamptz
  );
  create index stored_objects_account on stored_objects (account_id, created_at);
  create index stored_objects_announced on stored_objects (expires_at) where state = 'ANNOUNCED';
  create table job_inputs (
    job_id uuid not null references jobs,
    storage_key text not null,
    byte_size bigint not null,
    sha256 text,
    primary key (job_id, storage_key)
  );
  create table artifacts (
    id uuid primary key,
    account_id uuid not null references accounts,
    job_id uuid,
    task_kind text,
    task_ordinal integer,
    storage_key text not null,
    name text not null,
    kind text not null,
    label text,
    frame integer,
    ligand_id text,
    media_type text not null,
    format text,
    byte_size bigint not null,
    sha256 text not null,
    created_at timestamptz not null default now(),
    unique nulls not distinct (account_id, storage_key, format)
  );
  create index artifacts_job on artifacts (job_id, task_ordinal, name) where job_id is not null;
`;

const IDEMPOTENCY = `
  create table idempotency_keys (
    account_id uuid not null references accounts,
    operation text not null,
    key text not null,
    fingerprint text not null,
    response_status integer,
    response_body jsonb,
    locked_until timestamptz,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (account_id, operation, key)
  );
`;
