import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Idempotency keys count in the environment of the caller: a test key and a live key of one account may use the same
 * idempotency key for different requests. Keys so far are taken for those of live keys; a repeat with a test key within their
 * seven days is answered as a new request, whose effect finds what the first one made.
 */
export class KeyEnvironments1764660500000 implements MigrationInterface {
  name = 'KeyEnvironments1764660500000';

  /** Adds the environment to the primary key. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table idempotency_keys add column environment text not null default 'live' check (environment in ('live', 'test')),
        drop constraint idempotency_keys_pkey, add primary key (account_id, environment, operation, key);
    `);
  }

  /** Forgets the keys of test callers, and takes the environment away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from idempotency_keys where environment = 'test';
      alter table idempotency_keys drop constraint idempotency_keys_pkey, drop column environment,
        add primary key (account_id, operation, key);
    `);
  }
}
