import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Instances of licensed software take seats, which are granted together with their vCPUs and given back together with them. */
export class LicenceSeats1767600000000 implements MigrationInterface {
  name = 'LicenceSeats1767600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The software of which each instance takes a seat; empty for software without seats.
      alter table capacity_requests add column licence text not null default '',
        -- The seats of the instances that are granted; computed by the database.
        add column seats integer generated always as (
          case when licence = '' then 0 when step_vcpus is null then 1 else (vcpus + step_vcpus - 1) / step_vcpus end
        ) stored not null`);
    await runner.query(`
      drop index capacity_waiting;
      create index capacity_waiting on capacity_requests (account_id, class, licence, priority desc, requested_at, job_id)
        where state = 'WAITING';
      drop index capacity_granted;
      create index capacity_granted on capacity_requests (account_id, class, plan, licence) include (vcpus, gpus, seats)
        where state = 'GRANTED'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index capacity_granted;
      create index capacity_granted on capacity_requests (account_id, class, plan) include (vcpus, gpus) where state = 'GRANTED';
      drop index capacity_waiting;
      create index capacity_waiting on capacity_requests (account_id, class, priority desc, requested_at, job_id)
        where state = 'WAITING'`);
    await runner.query('alter table capacity_requests drop column seats, drop column licence');
  }
}
