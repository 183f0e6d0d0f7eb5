import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Databases: the catalogue of sequence databases that the operator keeps for all customers. An entry never changes: a
 * replaced database gets another id and other keys, and a removed one stays until no open job reads its files.
 */
export class Databases1764640000000 implements MigrationInterface {
  name = 'Databases1764640000000';

  /** Adds the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table databases (
        id uuid primary key,
        name text not null,
        type text not null check (type in ('prot', 'nucl')),
        version text not null,
        date text not null check (date ~ '^\\d{4}-\\d{2}-\\d{2}$'),
        checksum text not null check (checksum ~ '^[0-9a-f]{64}$'),
        letters bigint not null check (letters > 0),
        sequences bigint not null check (sequences > 0),
        files jsonb not null,
        added_at timestamptz not null default now(),
        removed_at timestamptz
      );
      create unique index databases_by_name on databases (name) where removed_at is null;
    `);
  }

  /** Takes the table back; the operator adds the databases again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table databases;');
  }
}
