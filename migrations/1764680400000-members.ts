import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `invitations`: who was invited to an account, by whom, and in which role. The code of the mail is known by its SHA-256. An
 * invitation ends once: somebody accepts it, an owner ends it, or its time is over. Nobody is in two accounts, so members need no table
 * beside `users`.
 */
export class Members1764680400000 implements MigrationInterface {
  name = 'Members1764680400000';

  /** Adds the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table invitations (
        id uuid primary key,
        account_id uuid not null references accounts,
        email text not null,
        role text not null check (role in ('owner', 'member')),
        secret_sha256 text not null unique,
        invited_by uuid not null references users,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        ended_at timestamptz,
        accepted_by uuid references users,
        check (accepted_by is null or ended_at is not null)
      );
      create index invitations_account on invitations (account_id, created_at);
      create index invitations_expiry on invitations (expires_at);
    `);
  }

  /** Drops the table. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table invitations');
  }
}
