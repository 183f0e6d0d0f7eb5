import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Turns at working through a stored file as a whole, so that no account has more than its share of that at once,
 * however many control workers there are. A row without a holder waits. Every row says until when it counts, by the
 * database's clock: what a process that died held or waited for is nobody's a little later.
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

  /** Takes it away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table file_turns');
  }
}
