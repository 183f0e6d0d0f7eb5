import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What operators watch beside the states: launches and grants of the last hour, each found by its time, and what the last
 * audit of the ledger has found. One index entry a launch and one a grant.
 */
export class OperationsMetrics1764691500000 implements MigrationInterface {
  name = 'OperationsMetrics1764691500000';

  /** Adds the indexes and the column. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index instances_launched on instances (launched_at);
      create index capacity_granted_at on capacity_requests (granted_at) where granted_at is not null;
      alter table schedule_rounds add column findings jsonb;
    `);
  }

  /** Takes them away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table schedule_rounds drop column findings;
      drop index instances_launched, capacity_granted_at;
    `);
  }
}
