import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The time of a job is the time at which its row is written, under the lock of its account. Before, it was the start of
 * the transaction, which may lie before the start of a job that the transaction waited for. So a customer who asks for
 * the jobs after the latest job that the customer has seen misses none. The times are defaults of the columns, so that
 * processes of the release before write them too.
 */
export class JobTimes1764520000000 implements MigrationInterface {
  name = 'JobTimes1764520000000';

  /** The defaults read the clock at the insert. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table jobs alter column submitted_at set default clock_timestamp(), alter column updated_at set default clock_timestamp()',
    );
  }

  /** The defaults read the start of the transaction again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table jobs alter column submitted_at set default now(), alter column updated_at set default now()',
    );
  }
}
