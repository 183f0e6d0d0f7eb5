import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ligand libraries get an index: which bytes of the file are which ligand, what the ligand is called, and which records are equal.
 * A library is read once, and every batch over it reads rows.
 */
export class LigandLibraries1764704100000 implements MigrationInterface {
  name = 'LigandLibraries1764704100000';

  /** Makes both tables. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [LIBRARIES, RECORDS, EQUAL, OF_BATCH]) await runner.query(sql);
  }

  /** Drops both tables; the copies in the store stay. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_batches drop constraint docking_batches_library_id_fkey;
      drop table ligand_library_records;
      drop table ligand_libraries`);
  }
}

/** A list of a request has no file. A reader that reads a file in another way has another number, and indexes the file anew. */
const LIBRARIES = `
  create table ligand_libraries (
    id uuid primary key,
    account_id uuid not null references accounts,
    format text not null check (format in ('smi', 'csv', 'sdf', 'list')),
    sha256 text not null,
    reader integer not null,
    storage_key text,
    byte_size bigint,
    content_sha256 text,
    record_count integer not null check (record_count > 0),
    task_count integer not null check (task_count between 1 and record_count),
    unreadable_count integer not null check (unreadable_count between 0 and record_count),
    property_names text[] not null default '{}',
    created_at timestamptz not null default now(),
    unique (account_id, sha256, format, reader),
    check ((storage_key is null) = (format = 'list'))
  )`;

/** Ids are compared by their bytes, so that an order depends on no locale. */
const RECORDS = `
  create table ligand_library_records (
    library_id uuid not null references ligand_libraries on delete cascade,
    ordinal integer not null,
    ligand_id text collate "C" not null,
    label text not null,
    line integer,
    start_byte bigint,
    end_byte bigint,
    content_sha256 text,
    structure_sha256 text not null,
    heavy_atoms integer,
    same_as integer check (same_as < ordinal),
    fault text,
    source jsonb,
    properties jsonb not null default '{}',
    primary key (library_id, ordinal),
    unique (library_id, ligand_id)
  )`;

const EQUAL = `
  create index ligand_library_records_equal on ligand_library_records (library_id, same_as) where same_as is not null`;

const OF_BATCH = `alter table docking_batches add foreign key (library_id) references ligand_libraries`;
