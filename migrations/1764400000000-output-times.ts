import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An output takes its time when its row is written, which is under the lock of the job's row, and no longer when its
 * transaction began, which may be before a commit that it waited for. So whoever asks for what came after the latest
 * output that was seen misses none. A default, so that processes of the release before do the same.
 */
export class OutputTimes1764400000000 implements MigrationInterface {
  name = 'OutputTimes1764400000000';

  /** Reads the clock at the insert. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table artifacts alter column created_at set default clock_timestamp()');
  }

  /** Reads it at the start of the transaction again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table artifacts alter column created_at set default now()');
  }
}
