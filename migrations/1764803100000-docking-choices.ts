import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a batch and a run may choose: a rule by which the batch stops, and whether a run of an experiment takes earlier results. A run keeps how far its rule has looked and where the rule has stopped it.
 */
export class DockingChoices1764803100000 implements MigrationInterface {
  name = 'DockingChoices1764803100000';

  /** Adds the columns. Runs of experiments of before have taken earlier results. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_batches add column stop_when jsonb;
      alter table docking_runs add column reuse text check (reuse in ('verified', 'never')),
        add column stop_state jsonb, add column stopped_after int check (stopped_after > 0);
      update docking_runs set reuse = 'verified' where experiment_id is not null`);
  }

  /** Takes the columns away. Ligands that a rule has left undone stay cancelled. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_runs drop column stopped_after, drop column stop_state, drop column reuse;
      alter table docking_batches drop column stop_when`);
  }
}
