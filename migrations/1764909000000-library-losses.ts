import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A customer is told which columns or tags of a library do not stay with the ligands, so a library keeps the names of these. */
export class LibraryLosses1764909000000 implements MigrationInterface {
  name = 'LibraryLosses1764909000000';

  /** Adds the column. Libraries of before were read by an earlier reader, and are read anew when they are used again. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table ligand_libraries add column losses jsonb');
  }

  /** Takes the column away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table ligand_libraries drop column losses');
  }
}
