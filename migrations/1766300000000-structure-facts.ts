import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Facts of structure files, made once for each digest. */
export class StructureFacts1766300000000 implements MigrationInterface {
  name = 'StructureFacts1766300000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
create table structure_facts (
  sha256 text not null,
  format text not null,
  -- Raised when facts are read in another way, so that older ones are made anew.
  reader integer not null,
  facts jsonb not null,
  made_at timestamptz not null default clock_timestamp(),
  primary key (sha256, format, reader)
)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table structure_facts');
  }
}
