import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions of the command line. `cli_codes` has the SHA-256 of each code with which a person has let a command line in, the session
 * in which the person did so, and what the command line must prove. `sessions.ends_at` is when a session ends whatever its use.
 */
export class CliSessions1764686000000 implements MigrationInterface {
  name = 'CliSessions1764686000000';

  /** Adds the table and the column. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table sessions add column ends_at timestamptz;
      create table cli_codes (
        secret_sha256 text primary key,
        session_id uuid not null references sessions on delete cascade,
        challenge text not null,
        created_at timestamptz not null default now(),
        used_at timestamptz
      );
      create index cli_codes_session on cli_codes (session_id);
      create index cli_codes_time on cli_codes (created_at);
    `);
  }

  /** Drops both; sessions of command lines end first, because they would live on like those of browsers. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update sessions set ended_at = now() where ends_at is not null and ended_at is null;
      drop table cli_codes;
      alter table sessions drop column ends_at;
    `);
  }
}
