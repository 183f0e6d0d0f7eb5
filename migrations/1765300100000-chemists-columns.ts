import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a chemist reads first of a docked ligand stands beside its scores: the figures of RDKit, the opinion of the other scoring
 * function, and the directed contacts of mode 1. Results of before have none.
 */
export class ChemistsColumns1765300100000 implements MigrationInterface {
  name = 'ChemistsColumns1765300100000';

  /** Adds the columns. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_results add column descriptors jsonb, add column second_affinity_kcal_mol double precision,
        add column second_rank integer check (second_rank > 0), add column key_interactions jsonb;
      alter table docking_poses add column second_affinity_kcal_mol double precision`);
  }

  /** Drops the columns. The figures in the store stay. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_poses drop column second_affinity_kcal_mol;
      alter table docking_results drop column descriptors, drop column second_affinity_kcal_mol,
        drop column second_rank, drop column key_interactions`);
  }
}
