import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What tools with a preparation step need: inputs that the control side fetched itself are pinned under a name, and an
 * account's preparations are found again by what they were made of.
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

  /** Takes them away; jobs that are running with fetched inputs cannot go on. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table preparations; alter table job_inputs drop column name;');
  }
}
