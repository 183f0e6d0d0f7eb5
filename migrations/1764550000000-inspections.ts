import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Inspections of receptors run as jobs, so that they have all guarantees of a job, but they do not count as jobs of the
 * customer.
 *
 * `jobs.internal`: true for a job that the service made for itself; no list of a customer shows such a job.
 * `inspections`: which job inspects which receptor, so that the same question of an account gets the same report. The
 * state of an inspection is the state of its job.
 */
export class Inspections1764550000000 implements MigrationInterface {
  name = 'Inspections1764550000000';

  /** Adds the column and the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs add column internal boolean not null default false;
      create table inspections (
        id uuid primary key,
        account_id uuid not null references accounts,
        cache_key text not null,
        job_id uuid not null unique,
        start_by timestamptz not null,
        created_at timestamptz not null default now()
      );
      create index inspections_account on inspections (account_id, cache_key, created_at desc);
      create index inspections_age on inspections (created_at);
    `);
  }

  /** Takes column and table away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table inspections;
      alter table jobs drop column internal;
    `);
  }
}
