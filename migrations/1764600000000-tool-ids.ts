import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `jobs.tool_id`: the tool that works on the job. The tool was worked out of simulator and job type wherever it was
 * needed, which is wrong for a job type whose tool depends on more. The tools of all jobs so far follow from these two.
 */
export class ToolIds1764600000000 implements MigrationInterface {
  name = 'ToolIds1764600000000';

  /** Adds the column and fills it. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table jobs add column tool_id text;
      update jobs set tool_id = coalesce(simulator, job_type);
      alter table jobs alter column tool_id set not null;
    `);
  }

  /** Takes the column away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs drop column tool_id');
  }
}
