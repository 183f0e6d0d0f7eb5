import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What bounds work that comes to nothing, and what finds leftovers in the store without listing all of it.
 *
 * `tasks.kills`: how often the system killed the tool or its session died, which is repeated a bounded number of times.
 * `recoveries.delivered`: whether a lost generation had decided anything; null where that tells nothing.
 * `instances.staging_due_at`: when the staging of a fenced generation is looked at next; null once nothing can arrive
 * any more. `stored_requests`: stored objects of requests, by which those that no job took are found.
 * `sweep_passes`: when something was last looked through as a whole.
 */
export class LossesAndLeftovers1764530000000 implements MigrationInterface {
  name = 'LossesAndLeftovers1764530000000';

  /** Adds the columns and tables. Generations that were fenced long ago have been swept whole already. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tasks add column kills integer not null default 0;
      alter table recoveries add column delivered boolean;
      alter table instances add column staging_due_at timestamptz;
      alter table instances alter column staging_due_at set default now();
      update instances set staging_due_at = now() where fenced_at is null or fenced_at > now() - interval '2 days';
      create index instances_staging on instances (staging_due_at)
        where fenced_at is not null and staging_due_at is not null;
      create table stored_requests (
        request_key text primary key,
        job_id uuid not null,
        stored_at timestamptz not null default now()
      );
      create index stored_requests_age on stored_requests (stored_at);
      create table sweep_passes (
        name text primary key,
        begun_at timestamptz not null default now()
      );
    `);
  }

  /** Takes them back; the release before looks through the store as a whole. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table sweep_passes, stored_requests;
      alter table instances drop column staging_due_at;
      alter table recoveries drop column delivered;
      alter table tasks drop column kills;
    `);
  }
}
