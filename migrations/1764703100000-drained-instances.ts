import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Instances that are about to be taken away. Such an instance ends what it runs while the next generation of its slot starts
 * beside it, so a slot may have one generation that drains and one that is current.
 */
export class DrainedInstances1764703100000 implements MigrationInterface {
  name = 'DrainedInstances1764703100000';

  /** Adds the column, and lets the next generation begin before the drained one is fenced. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table instances add column drained_at timestamptz;
      drop index instances_current;
      create unique index instances_current on instances (job_id, slot) where fenced_at is null and drained_at is null;
    `);
  }

  /** Fences what drains, because a slot of before has one generation alone; its tasks are run again. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update instances set fenced_at = now(), fence_cause = 'PREEMPTED' where drained_at is not null and fenced_at is null;
      drop index instances_current;
      alter table instances drop column drained_at;
      create unique index instances_current on instances (job_id, slot) where fenced_at is null;
    `);
  }
}
