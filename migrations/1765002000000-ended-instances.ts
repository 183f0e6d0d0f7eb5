import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Instances that have ended of late are found by the time of their end: a cloud may count an instance into a quota for some time after
 * its end, and the table keeps every instance there has been.
 */
export class EndedInstances1765002000000 implements MigrationInterface {
  name = 'EndedInstances1765002000000';

  /** Adds the index. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'create index instances_ended on instances (terminated_at) where terminated_at is not null',
    );
  }

  /** Takes the index away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index instances_ended');
  }
}
