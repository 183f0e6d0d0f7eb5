import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What operators watch: since when a job is in its state, and how the rounds of the schedules ended. The trigger keeps the time
 * right whichever statement writes the status; the index answers how many open jobs are in a state, and since when the oldest.
 */
export class OperatorsView1764690000000 implements MigrationInterface {
  name = 'OperatorsView1764690000000';

  /** Adds the time, the index and the table. An open job of before counts from its last change. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs add column status_at timestamptz not null default now();
      update jobs set status_at = updated_at where finished_at is null;
      create function jobs_status_at() returns trigger language plpgsql as
        $$ begin new.status_at := now(); return new; end $$;
      create trigger jobs_status_at before update of status on jobs for each row
        when (old.status is distinct from new.status) execute function jobs_status_at();
      drop index jobs_open;
      create index jobs_open on jobs (status, pause_reason, status_at) where finished_at is null;
      create index recoveries_created on recoveries (created_at);
      create table schedule_rounds (
        schedule text primary key,
        succeeded_at timestamptz,
        failed_at timestamptz,
        failures integer not null default 0 check (failures >= 0)
      );
    `);
  }

  /** Takes them away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table schedule_rounds;
      drop index recoveries_created, jobs_open;
      create index jobs_open on jobs (status) where finished_at is null;
      drop trigger jobs_status_at on jobs;
      drop function jobs_status_at();
      alter table jobs drop column status_at;
    `);
  }
}
