import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A library that no batch names is removed some time after it was opened last, so a library tells when that was. */
export class LibraryUses1764803300000 implements MigrationInterface {
  name = 'LibraryUses1764803300000';

  /** Adds the time. Libraries of before count as opened now. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table ligand_libraries add column used_at timestamptz not null default now();
      create index ligand_libraries_used on ligand_libraries (used_at);
      create index docking_batches_library on docking_batches (library_id)`);
  }

  /** Takes the time away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index docking_batches_library;
      drop index ligand_libraries_used;
      alter table ligand_libraries drop column used_at`);
  }
}
