import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Executions whose hold may be too small for all of their tasks: those whose seconds are measured, and those that the customer
 * has limited. Such an execution covers a task before the task is dispatched, and the task's row says so.
 */
export class CoveredDispatch1764693000000 implements MigrationInterface {
  name = 'CoveredDispatch1764693000000';

  /** Adds the columns. Executions of before go on as they began: their tasks are dispatched without a look at the hold. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table job_executions add column limit_pence bigint check (limit_pence > 0),
        add column covers_dispatch boolean not null default false;
      alter table tasks add column covered_in integer;
    `);
  }

  /** Takes them away; a limit of before is forgotten, and what was held by it stays held. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tasks drop column covered_in;
      alter table job_executions drop column covers_dispatch, drop column limit_pence;
    `);
  }
}
