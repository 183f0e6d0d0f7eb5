import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A ligand that was not docked is told with its SMILES, too, so a record of a library keeps the SMILES as the record was given. */
export class LibrarySmiles1764902100000 implements MigrationInterface {
  name = 'LibrarySmiles1764902100000';

  /** Adds the column. Libraries of before were read by an earlier reader, and are read anew when they are used again. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table ligand_library_records add column smiles text');
  }

  /** Takes the column away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table ligand_library_records drop column smiles');
  }
}
