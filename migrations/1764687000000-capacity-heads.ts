import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Granting looks at the oldest waiting request of each account, and at what is granted, and never at the whole queue: an index
 * for each. `noticed_at` says that the workflow of a job has seen its grant, so that a grant whose message was lost is told again.
 */
export class CapacityHeads1764687000000 implements MigrationInterface {
  name = 'CapacityHeads1764687000000';

  /** Adds the column and the indexes. Jobs that have capacity now have seen their grant. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table capacity_requests add column noticed_at timestamptz;
      update capacity_requests set noticed_at = granted_at where state = 'GRANTED';
      create index capacity_waiting on capacity_requests (account_id, priority desc, requested_at, job_id)
        where state = 'WAITING';
      create index capacity_granted on capacity_requests (account_id) include (vcpus) where state = 'GRANTED';
      create index capacity_unnoticed on capacity_requests (granted_at) where state = 'GRANTED' and noticed_at is null;
    `);
  }

  /** Takes them away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index capacity_waiting, capacity_granted, capacity_unnoticed;
      alter table capacity_requests drop column noticed_at;
    `);
  }
}
