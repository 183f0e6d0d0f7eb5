import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where a job stops stands with the job, and a verified task is found again by its own key: execution reads both of any tool's
 * jobs, so neither may stand in a table of docking.
 */
export class RecordsApart1765900000000 implements MigrationInterface {
  name = 'RecordsApart1765900000000';

  /** Moves both. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The number of tasks behind which nothing is to be done any more; null where all tasks are to be done.
      alter table jobs add column stopped_after integer check (stopped_after > 0);
      update jobs j set stopped_after = r.stopped_after from docking_runs r
        where r.job_id = j.id and r.stopped_after is not null;
      alter table docking_runs drop column stopped_after;
      create index tasks_reuse on tasks (reuse_key) where reuse_key is not null and state = 'SUCCEEDED';
      drop index docking_results_reuse;
      alter table docking_results drop column reuse_key`);
  }

  /** Moves both back. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_results add column reuse_key text;
      update docking_results r set reuse_key = t.reuse_key from tasks t
        where t.job_id = r.job_id and t.kind = 'task' and t.ordinal = r.ordinal;
      create index docking_results_reuse on docking_results (reuse_key, cpu_class)
        where reuse_key is not null and cached_from_result_id is null;
      drop index tasks_reuse;
      alter table docking_runs add column stopped_after integer check (stopped_after > 0);
      update docking_runs r set stopped_after = j.stopped_after from jobs j
        where j.id = r.job_id and j.stopped_after is not null;
      alter table jobs drop column stopped_after`);
  }
}
