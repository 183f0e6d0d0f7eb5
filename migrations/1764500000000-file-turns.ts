import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Turns at working on a stored file as a whole, so that an account never has more than its share of turns at once,
 * however many control workers run. A row without a holder waits for a turn. Every row has a time until which it
 * counts, by the database's clock, so a turn that a dead process held or waited for ends a little later.
 */
export class FileTurns1764500000000 implements MigrationInterface {
  name = 'FileTurns1764500000000';

  /** Adds the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table file_turns (
        id uuid primary key,
        account_id uuid not null references accounts,
        holder uuid,
        asked_at timestamptz not null default clock_timestamp(),
        until timestamptz not null
      );
      create index file_turns_account on file_turns (account_id, asked_at, id);
      create index file_turns_waiting on file_turns (account_id) where holder is null;
    `);
  }

  /** Takes the table away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table file_turns');
  }
}
