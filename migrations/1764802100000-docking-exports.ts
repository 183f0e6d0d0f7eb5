import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Exports of results get rows: what was asked for, over which ligands, and the file that was made of them. Files of results, and
 * with them exports, are found by artifacts of their own.
 */
export class DockingExports1764802100000 implements MigrationInterface {
  name = 'DockingExports1764802100000';

  /** Makes the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(EXPORTS);
  }

  /** Drops the table. The artifacts of exports stay, as files of their account. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table docking_exports');
  }
}

const EXPORTS = `
  create table docking_exports (
    id uuid primary key,
    account_id uuid not null references accounts,
    user_id uuid not null,
    batch_id uuid references docking_batches,
    run_id uuid references docking_runs,
    format text not null check (format in ('csv', 'sdf', 'parquet')),
    query jsonb not null,
    included jsonb not null,
    state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED')),
    result_count integer not null check (result_count > 0),
    complete boolean not null,
    artifact_id uuid references artifacts,
    failure_code text,
    failure_message text,
    created_at timestamptz not null default now(),
    started_at timestamptz,
    finished_at timestamptz,
    swept_at timestamptz,
    check ((batch_id is null) <> (run_id is null)),
    check ((state = 'SUCCEEDED') = (artifact_id is not null)),
    check ((state = 'FAILED') = (failure_code is not null)),
    check ((state in ('SUCCEEDED', 'FAILED')) = (finished_at is not null))
  );
  create index docking_exports_unswept on docking_exports (created_at) where swept_at is null;
  create index docking_exports_artifact on docking_exports (artifact_id) where artifact_id is not null`;
