import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `license_servers`: the licence servers that customers bring. A secret is stored sealed, with the id of the key that has
 * sealed it; both or neither. A removed server keeps its row without the secret, so that a repeat of the request that made the
 * server finds it. `request_mac` is a keyed digest, because a plain digest of a request would let whoever reads the table try
 * secrets out.
 */
export class LicenseServers1764680900000 implements MigrationInterface {
  name = 'LicenseServers1764680900000';

  /** Adds the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table license_servers (
        id uuid primary key,
        account_id uuid not null references accounts,
        name text not null,
        software text not null,
        protocol text not null check (protocol in ('tcp', 'http', 'https')),
        host text not null,
        port integer not null check (port between 1 and 65535),
        secret_key_id text,
        sealed_secret bytea,
        request_mac text not null,
        created_by uuid not null references users,
        created_at timestamptz not null default clock_timestamp(),
        updated_at timestamptz not null default clock_timestamp(),
        removed_at timestamptz,
        check ((secret_key_id is null) = (sealed_secret is null)),
        check (removed_at is null or sealed_secret is null)
      );
      create index license_servers_account on license_servers (account_id, created_at, id) where removed_at is null;
      create index license_servers_key on license_servers (secret_key_id) where secret_key_id is not null;
    `);
  }

  /** Drops the table with all secrets in it. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table license_servers');
  }
}
