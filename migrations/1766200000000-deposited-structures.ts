import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Entries of the archive that scenes show: fetched once for all accounts, each revision of an entry by its digest. */
export class DepositedStructures1766200000000 implements MigrationInterface {
  name = 'DepositedStructures1766200000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
-- The id in small letters.
create table deposited_structures (
  pdb_id text not null,
  sha256 text not null,
  byte_size bigint not null,
  storage_key text not null,
  fetched_at timestamptz not null default clock_timestamp(),
  primary key (pdb_id, sha256)
);

-- The last look at the archive for each entry that was ever asked for.
create table structure_imports (
  pdb_id text primary key,
  state text not null check (state in ('FETCHING', 'DONE', 'ABSENT', 'UNREACHABLE')),
  -- The newest revision that was ever fetched.
  sha256 text,
  -- The account that asked for the look.
  account_id uuid not null references accounts,
  asked_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  foreign key (pdb_id, sha256) references deposited_structures
);
create index structure_imports_fetching on structure_imports (account_id) where state = 'FETCHING'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table structure_imports, deposited_structures');
  }
}
