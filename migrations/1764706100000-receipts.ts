import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each settled execution gets a signed receipt, which is written once. The public keys stay when a key is changed, so that
 * receipts of before can still be proven. A docked ligand tells the code and the class of processor that made its result.
 */
export class Receipts1764706100000 implements MigrationInterface {
  name = 'Receipts1764706100000';

  /** Makes both tables and the columns. Executions that are settled already get no receipt: nobody knows what made their results. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [KEYS, RECEIPTS, DUE, RESULTS]) await runner.query(sql);
  }

  /** Drops the tables and the columns. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table receipts; drop table receipt_keys;
      drop index job_executions_receipt_due;
      alter table job_executions drop column receipt_due;
      alter table docking_results drop column cpu_class, drop column toolchain_sha256`);
  }
}

const KEYS = `
  create table receipt_keys (
    key_id text primary key check (key_id ~ '^[a-z0-9-]{1,32}$'),
    public_key text not null check (public_key ~ '^[A-Za-z0-9_-]{43}$'),
    created_at timestamptz not null default now()
  )`;

const RECEIPTS = `
  create table receipts (
    job_id uuid not null,
    execution integer not null,
    key_id text not null references receipt_keys,
    signature text not null,
    document text not null,
    issued_at timestamptz not null default now(),
    primary key (job_id, execution),
    foreign key (job_id, execution) references job_executions (job_id, n)
  )`;

/** The settlement sets the mark in its own transaction, and the receipt takes the mark away. */
const DUE = `
  alter table job_executions add column receipt_due boolean not null default false;
  create index job_executions_receipt_due on job_executions (settled_at) where receipt_due`;

const RESULTS = `alter table docking_results add column cpu_class text, add column toolchain_sha256 text`;
