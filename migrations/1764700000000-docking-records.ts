import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Docking gets records: an experiment is a protocol with its ligand, a batch is a campaign of many ligands, and a run is one
 * job of either. The state, the counts and the times of a run are those of its job, and are read from there. The columns that
 * say how a batch is docked keep what its request has said; whoever builds the feature of a column reads the column.
 */
export class DockingRecords1764700000000 implements MigrationInterface {
  name = 'DockingRecords1764700000000';

  /** Makes the three tables. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [EXPERIMENTS, BATCHES, RUNS]) await runner.query(sql);
  }

  /** Drops the tables. The jobs stay. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table docking_runs; drop table docking_batches; drop table docking_experiments');
  }
}

const EXPERIMENTS = `
  create table docking_experiments (
    id uuid primary key,
    account_id uuid not null references accounts,
    user_id uuid not null references users,
    name text not null,
    receptor_artifact_id uuid,
    receptor_identity jsonb,
    ligand_artifact_id uuid,
    ligand_identity jsonb,
    parameters jsonb not null,
    created_at timestamptz not null default now(),
    check ((receptor_artifact_id is null) <> (receptor_identity is null)),
    check ((ligand_artifact_id is null) <> (ligand_identity is null))
  );
  create index docking_experiments_of_account on docking_experiments (account_id, created_at desc, id desc)`;

const BATCHES = `
  create table docking_batches (
    id uuid primary key,
    account_id uuid not null references accounts,
    user_id uuid not null references users,
    name text not null,
    engine text not null,
    receptor_artifact_id uuid,
    receptor_identity jsonb,
    parameters jsonb not null,
    library_id uuid,
    library_sha256 text not null,
    ligand_count integer not null check (ligand_count > 0),
    shard_size integer not null check (shard_size > 0),
    reuse text not null default 'verified' check (reuse in ('verified', 'never')),
    dry_run boolean not null default false,
    created_at timestamptz not null default now()
  );
  create index docking_batches_of_account on docking_batches (account_id, created_at desc, id desc)`;

/** The ligands of a run are the places in its batch by the ordinals of the job's tasks; null where the run has all of them. */
const RUNS = `
  create table docking_runs (
    id uuid primary key,
    account_id uuid not null references accounts,
    user_id uuid not null references users,
    experiment_id uuid references docking_experiments,
    batch_id uuid references docking_batches,
    number integer not null check (number > 0),
    job_id uuid not null unique references jobs,
    request_id text not null,
    seed_requested integer,
    ligands integer[],
    retried_codes text[],
    created_at timestamptz not null default now(),
    check ((experiment_id is null) <> (batch_id is null)),
    unique (batch_id, number),
    unique (experiment_id, number)
  )`;
