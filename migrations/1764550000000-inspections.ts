import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Inspections of receptors run as jobs, so that they have all of a job's guarantees, and are no customer's jobs.
 *
 * `jobs.internal`: made by the service for itself; no list of a customer shows it. `inspections`: which job tells of
 * which receptor, so that the same question of an account is answered by the same report. How an inspection stands is
 * said by its job alone.
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

  /** Takes them back. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table inspections;
      alter table jobs drop column internal;
    `);
  }
}
