import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `jobs.store_full_at`: when the object store had no room last for what the job has made, so that its status can say so. */
export class FullStores1765300000000 implements MigrationInterface {
  name = 'FullStores1765300000000';

  /** Adds the column. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column store_full_at timestamptz');
  }

  /** Drops the column. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs drop column store_full_at');
  }
}
