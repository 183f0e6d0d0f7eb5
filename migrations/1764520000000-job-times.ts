import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A job takes its time when its row is written, which is under the lock of its account, and no longer when its
 * transaction began, which may be before that of a job that it waited for. So whoever asks for the jobs that were created
 * after the latest one that was seen misses none. Defaults, so that processes of the release before do the same.
 */
export class JobTimes1764520000000 implements MigrationInterface {
  name = 'JobTimes1764520000000';

  /** Reads the clock at the insert. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table jobs alter column submitted_at set default clock_timestamp(), alter column updated_at set default clock_timestamp()',
    );
  }

  /** Reads it at the start of the transaction again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table jobs alter column submitted_at set default now(), alter column updated_at set default now()',
    );
  }
}
