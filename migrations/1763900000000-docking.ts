import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tables for tools with a preparation step: an input that the control side fetched itself is pinned under a name, and a
 * preparation of an account is found again by the digests of what it was made of.
 */
export class Docking1763900000000 implements MigrationInterface {
  name = 'Docking1763900000000';

  /** Adds the name of a pinned input and the table of preparations. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table job_inputs add column name text;
      create unique index job_inputs_name on job_inputs (job_id, name) where name is not null;
      create table preparations (
        account_id uuid not null references accounts,
        cache_key text not null,
        job_id uuid not null references jobs,
        created_at timestamptz not null default now(),
        primary key (account_id, cache_key)
      );
      create index preparations_job on preparations (job_id);
    `);
  }

  /** Takes column and table away; running jobs with fetched inputs cannot go on. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table preparations; alter table job_inputs drop column name;');
  }
}
