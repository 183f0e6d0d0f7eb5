import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sign-in by a provider of identities. `identities` says which person a name at an issuer stands for. `oidc_attempts` has the
 * SHA-256 of the secret of each sign-in that a browser has brought back, so that none is brought back twice, and the person
 * of one who still owes a code of the second factor.
 */
export class ProviderIdentities1764681000000 implements MigrationInterface {
  name = 'ProviderIdentities1764681000000';

  /** Adds the tables. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table identities (
        issuer text not null,
        subject text not null,
        user_id uuid not null references users,
        created_at timestamptz not null default now(),
        primary key (issuer, subject)
      );
      create index identities_user on identities (user_id);
      create table oidc_attempts (
        secret_sha256 text primary key,
        user_id uuid references users,
        used_at timestamptz not null default now(),
        ended_at timestamptz
      );
      create index oidc_attempts_time on oidc_attempts (used_at);
    `);
  }

  /** Drops them: people sign in with passwords alone. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table oidc_attempts, identities');
  }
}
