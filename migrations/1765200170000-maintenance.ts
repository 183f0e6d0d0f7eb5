import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `maintenance`: while the table has its one row, no job is submitted, and whoever submits is told the reason. The state is a row because every
 * process of the API has to know it at once, and because a restart must not end it.
 */
export class Maintenance1765200170000 implements MigrationInterface {
  name = 'Maintenance1765200170000';

  /** Adds the table, which has one row at most. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table maintenance (
        only_row boolean primary key default true check (only_row),
        reason text not null,
        since timestamptz not null default clock_timestamp()
      )`);
  }

  /** Drops the table; jobs are taken again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table maintenance');
  }
}
