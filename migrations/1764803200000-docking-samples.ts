import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A batch may ask for a sample of its ligands to be docked again. The jobs that do so are no runs of the batch. */
export class DockingSamples1764803200000 implements MigrationInterface {
  name = 'DockingSamples1764803200000';

  /** Adds the choice and the jobs of samples. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_batches add column sample boolean not null default false;
      create table docking_samples (
        batch_id uuid not null references docking_batches,
        kind text not null check (kind in ('same', 'other')),
        job_id uuid not null unique references jobs,
        seed int,
        created_at timestamptz not null default now(),
        primary key (batch_id, kind)
      )`);
  }

  /** Takes both away. The jobs stay, and no list shows them. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table docking_samples;
      alter table docking_batches drop column sample`);
  }
}
