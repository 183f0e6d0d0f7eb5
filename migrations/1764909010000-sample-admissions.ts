import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The jobs that dock a sample of a batch again were known to the workflow of the batch alone, so they were lost with the workflow. A
 * batch keeps them until each has begun or was refused.
 */
export class SampleAdmissions1764909010000 implements MigrationInterface {
  name = 'SampleAdmissions1764909010000';

  /** Adds the admissions. Batches of before have none, and their samples are begun by their workflows alone. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table docking_batches add column sample_admissions jsonb;
      create index docking_batches_sampled on docking_batches (id) where sample_admissions is not null`);
  }

  /** Takes the admissions away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index docking_batches_sampled;
      alter table docking_batches drop column sample_admissions`);
  }
}
