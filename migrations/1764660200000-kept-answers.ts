import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Only successes are kept under an idempotency key. Refusals were kept too, so a file that was refused for want of room
 * was refused for seven days after room had been made. Processes of the release before keep refusals, so they are stopped
 * before the migration runs.
 */
export class KeptAnswers1764660200000 implements MigrationInterface {
  name = 'KeptAnswers1764660200000';

  /** Forgets the refusals that were kept, and keeps none any more. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      lock table idempotency_keys in access exclusive mode;
      delete from idempotency_keys where response_status >= 400;
      alter table idempotency_keys add constraint idempotency_keys_success check (response_status between 200 and 399);
    `);
  }

  /** Lets refusals be kept again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table idempotency_keys drop constraint idempotency_keys_success');
  }
}
