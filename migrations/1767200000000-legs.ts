import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A long task is handed back after a kept checkpoint and covered anew: the row says up to where the hold covers its work, and how much of
 * that work a pause has charged for already.
 */
export class Legs1767200000000 implements MigrationInterface {
  name = 'Legs1767200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- covered_ms: the milliseconds of uncharged work that the hold of the execution in covered_in covers; null where nothing is measured.
      -- paid_ms: the milliseconds of the task's work that executions which paused have charged.
      alter table tasks add column covered_ms bigint check (covered_ms >= 0),
        add column paid_ms bigint not null default 0 check (paid_ms >= 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tasks drop column covered_ms, drop column paid_ms');
  }
}
