import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The time of an output is the time at which its row is written, under the lock of the job's row. Before, it was the
 * start of the transaction, which may lie before a commit that the transaction waited for. So a customer who asks for
 * the outputs after the latest output that the customer has seen misses none. The time is a default of the column, so
 * that processes of the release before write it too.
 */
export class OutputTimes1764400000000 implements MigrationInterface {
  name = 'OutputTimes1764400000000';

  /** The default reads the clock at the insert. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table artifacts alter column created_at set default clock_timestamp()');
  }

  /** The default reads the start of the transaction again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table artifacts alter column created_at set default now()');
  }
}
