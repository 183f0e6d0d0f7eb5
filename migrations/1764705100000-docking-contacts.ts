import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The interactions of each pose become columns, and which modes of a result touch which residue in which way becomes an
 * index of its own, so that results are filtered by interactions while a batch runs. A result says of which earlier result it
 * is a repetition. Results of before keep what they have; their interactions stay in their `result.json`.
 */
export class DockingContacts1764705100000 implements MigrationInterface {
  name = 'DockingContacts1764705100000';

  /** Adds the columns and makes the table. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMNS, CONTACTS]) await runner.query(sql);
  }

  /** Drops the table and the columns. The interactions in the store stay. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table docking_contacts;
      drop index docking_results_efficiency;
      drop index docking_results_ligand;
      alter table docking_poses drop column interactions;
      alter table docking_results drop column cached_from_result_id`);
  }
}

/** The best efficiency comes first, and results without one last; one direction lets a page begin after any row. */
const COLUMNS = `
  alter table docking_results add column cached_from_result_id uuid;
  alter table docking_poses add column interactions jsonb;
  create index docking_results_efficiency
    on docking_results (job_id, (- coalesce(ligand_efficiency, '-infinity'::float8)), ligand_id);
  create index docking_results_ligand on docking_results (job_id, ligand_id)`;

/**
 * Each mode has four bits of \`modes\`, so that a sum over contacts counts them mode by mode; a row holds thirteen modes, and
 * \`block\` says which.
 */
const CONTACTS = `
  create table docking_contacts (
    job_id uuid not null,
    contact text collate "C" not null,
    result_id uuid not null references docking_results on delete cascade,
    block smallint not null check (block >= 0),
    modes bigint not null,
    primary key (job_id, contact, result_id, block)
  );
  create index docking_contacts_result on docking_contacts (result_id)`;
