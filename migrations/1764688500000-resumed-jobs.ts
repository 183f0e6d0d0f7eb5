import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A job can be taken up from its rows: an execution keeps the plan that its workflow works by. What a settlement has charged
 * for stands in the execution, so the bill of the execution stays what the bill was. A task that is done again after it was
 * charged says in which execution it was, so that no later execution charges it a second time.
 */
export class ResumedJobs1764688500000 implements MigrationInterface {
  name = 'ResumedJobs1764688500000';

  /** Adds the columns. A task is marked only when it is set back after it was charged, so that nothing is to be filled in. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table job_executions add column plan jsonb, add column charged jsonb, add column charged_micro bigint;
      alter table tasks add column charged_in integer;
    `);
  }

  /** Takes them away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tasks drop column charged_in;
      alter table job_executions drop column plan, drop column charged, drop column charged_micro;
    `);
  }
}
