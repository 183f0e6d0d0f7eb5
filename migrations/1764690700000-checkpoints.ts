import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What running tasks have kept for their next attempts: the stored files, and when they were kept. */
export class Checkpoints1764690700000 implements MigrationInterface {
  name = 'Checkpoints1764690700000';

  /** Adds the columns, and the index by which the sweep finds what is not needed any more. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tasks add column checkpoint jsonb, add column checkpoint_at timestamptz;
      create index tasks_checkpoints on tasks (job_id) where checkpoint is not null;
    `);
  }

  /** Takes them away; tasks of the release before begin again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index tasks_checkpoints;
      alter table tasks drop column checkpoint_at, drop column checkpoint;
    `);
  }
}
