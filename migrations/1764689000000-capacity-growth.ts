import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Capacity is granted by the instance: `step_vcpus` are the vCPUs of one instance, `wanted_vcpus` those that a granted request
 * wants in all, so that the request grows while there is room. `reserved_at` says since when a request that does not fit keeps
 * what is given back from others. Requests of before have no step: all their vCPUs are granted at once.
 */
export class CapacityGrowth1764689000000 implements MigrationInterface {
  name = 'CapacityGrowth1764689000000';

  /** Adds the columns, and an index of the few requests that grow and of those that reserve. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table capacity_requests add column step_vcpus integer check (step_vcpus > 0),
        add column wanted_vcpus integer, add column reserved_at timestamptz;
      create index capacity_growing on capacity_requests (job_id) where state = 'GRANTED' and wanted_vcpus >= vcpus + step_vcpus;
      create index capacity_reserved on capacity_requests (reserved_at) where state = 'WAITING' and reserved_at is not null;
    `);
  }

  /** Takes them away. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index capacity_growing, capacity_reserved;
      alter table capacity_requests drop column step_vcpus, drop column wanted_vcpus, drop column reserved_at;
    `);
  }
}
