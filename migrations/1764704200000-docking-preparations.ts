import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a dry run finds of each ligand gets a table of its own, because a ligand that was not docked has no result. */
export class DockingPreparations1764704200000 implements MigrationInterface {
  name = 'DockingPreparations1764704200000';

  /** Makes the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PREPARATIONS);
  }

  /** Drops the table; the files of the preparations stay in the store. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table docking_preparations');
  }
}

const PREPARATIONS = `
  create table docking_preparations (
    job_id uuid not null references jobs,
    ordinal integer not null,
    heavy_atoms integer,
    formal_charge integer,
    smiles_input text,
    smiles_docked text,
    warnings jsonb not null default '[]',
    primary key (job_id, ordinal)
  )`;
