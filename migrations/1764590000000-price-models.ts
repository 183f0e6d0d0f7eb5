import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Price classes and measured seconds of tasks. A null class is the only class of a job, as are the classes of all tasks
 * of before. `tool_run` names one run of the tool at the task's present attempt; the two times are those of the
 * database's clock at which the run started and ended, and the commit fixes the milliseconds that are charged.
 */
export class PriceModels1764590000000 implements MigrationInterface {
  name = 'PriceModels1764590000000';

  /** Adds the columns; none has a default, so no row is rewritten. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tasks
        add column price_class text,
        add column tool_run uuid,
        add column tool_started_at timestamptz,
        add column tool_ended_at timestamptz,
        add column metered_ms bigint check (metered_ms >= 0);
    `);
  }

  /** Takes them back; measured jobs that are open would then be charged for no second. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tasks drop column price_class, drop column tool_run, drop column tool_started_at,
        drop column tool_ended_at, drop column metered_ms;
    `);
  }
}
