import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = `
  create table webhooks (
    id uuid primary key,
    account_id uuid not null references accounts,
    url text not null,
    types text[] not null check (cardinality(types) > 0),
    -- Why nothing is sent: the place has answered 410, or has taken nothing for days; null while events are sent.
    disabled text check (disabled in ('GONE', 'FAILING')),
    -- The first failure since something was taken; null where the last try was good.
    failing_since timestamptz,
    -- When its workflow was last told of deliveries that are due; null once there are new ones.
    woken_at timestamptz,
    request_sha256 text not null,
    created_by uuid not null,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    removed_at timestamptz
  );
  create index webhooks_account on webhooks (account_id) where removed_at is null;

  -- Secrets that sign: the one without an end, and those that another one has taken the place of.
  create table webhook_secrets (
    id uuid primary key,
    webhook_id uuid not null references webhooks on delete cascade,
    sealed_secret text not null,
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz
  );
  create unique index webhook_secrets_current on webhook_secrets (webhook_id) where expires_at is null;
  create index webhook_secrets_webhook on webhook_secrets (webhook_id);

  create table webhook_deliveries (
    id uuid primary key default uuidv7(),
    webhook_id uuid not null references webhooks on delete cascade,
    -- The public id of the event; that of a test is in no log.
    event_id uuid not null,
    type text not null,
    -- The text that is sent, the same at each try.
    body text not null,
    -- SKIPPED: not sent, because the webhook was disabled.
    state text not null check (state in ('PENDING', 'SUCCEEDED', 'FAILED', 'SKIPPED')),
    -- Tries that were made since the delivery was last asked for.
    attempt integer not null default 0,
    -- When the next try is due; null where none is.
    due_at timestamptz check ((due_at is not null) = (state = 'PENDING')),
    -- Until then a sender works on the delivery.
    claimed_until timestamptz,
    attempted_at timestamptz,
    duration_ms integer,
    status integer,
    fault text,
    answer text,
    created_at timestamptz not null default clock_timestamp(),
    unique (webhook_id, event_id)
  );
  create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where state = 'PENDING';
  create index webhook_deliveries_newest on webhook_deliveries (webhook_id, created_at, id);
  create index webhook_deliveries_age on webhook_deliveries (created_at);

  -- The number of the last event whose deliveries were made.
  create table webhook_fan_out (
    id boolean primary key default true check (id),
    position bigint not null
  );
  insert into webhook_fan_out (position) select coalesce(max(id), 0) from events where id is not null`;

/** Webhooks: places that events are sent to, their secrets, what is sent to each, and how far the log has been fanned out. */
export class Webhooks1767300000000 implements MigrationInterface {
  name = 'Webhooks1767300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(`
      alter table alerts drop constraint alerts_kind_check;
      alter table alerts add constraint alerts_kind_check check (kind in
        ('account-limit', 'key-limit', 'low-balance', 'auto-topup', 'webhook-failing', 'webhook-disabled'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from alert_mails where alert_id in (select id from alerts where kind in ('webhook-failing', 'webhook-disabled'));
      delete from alerts where kind in ('webhook-failing', 'webhook-disabled');
      alter table alerts drop constraint alerts_kind_check;
      alter table alerts add constraint alerts_kind_check check (kind in ('account-limit', 'key-limit', 'low-balance', 'auto-topup'));
      drop table webhook_fan_out, webhook_deliveries, webhook_secrets, webhooks`);
  }
}
