import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns that bound how often work is repeated in vain, and tables by which leftovers in the store are found without
 * listing all of it.
 *
 * `tasks.kills`: how often the system killed the tool of the task or its session died; such a task is repeated a
 * bounded number of times. `recoveries.delivered`: whether a lost generation had decided anything; null where the loss
 * says nothing about the generation. `instances.staging_due_at`: when the sweep looks at the staging of a fenced
 * generation next; null when nothing can arrive any more. `stored_requests`: the stored objects of requests; by these
 * rows the sweep finds objects that no job has. `sweep_passes`: when the store was last looked through as a whole.
 */
export class LossesAndLeftovers1764530000000 implements MigrationInterface {
  name = 'LossesAndLeftovers1764530000000';

  /** Adds the columns and tables. The staging of generations that were fenced long ago has been swept already. */
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

  /** Takes columns and tables away; the release before looks through the store as a whole. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table sweep_passes, stored_requests;
      alter table instances drop column staging_due_at;
      alter table recoveries drop column delivered;
      alter table tasks drop column kills;
    `);
  }
}
