import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The recovery ledger: beside the losses of instances it has the pauses and the resumes of jobs, and for each entry when work
 * went on. `instances.instance_type` and `instances.market` are what the provider says of an instance; a provider without types
 * says none.
 */
export class RecoveryLedger1764690600000 implements MigrationInterface {
  name = 'RecoveryLedger1764690600000';

  /** Adds the columns. Entries of jobs that have ended wait for no work any more. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table recoveries add column kind text not null default 'LOSS' check (kind in ('LOSS', 'PAUSE', 'RESUME')),
        add column went_on_at timestamptz, alter column slot drop not null, alter column generation drop not null,
        add check (kind <> 'LOSS' or slot is not null and generation is not null);
      create index recoveries_of_job on recoveries (job_id, created_at, id);
      create index recoveries_waiting on recoveries (job_id) where went_on_at is null;
      alter table instances add column instance_type text,
        add column market text not null default 'ON_DEMAND' check (market in ('ON_DEMAND', 'SPOT'));
    `);
  }

  /** Takes the columns away, and the entries that the release before does not know. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table instances drop column market, drop column instance_type;
      drop index recoveries_waiting, recoveries_of_job;
      delete from recoveries where kind <> 'LOSS';
      alter table recoveries drop column went_on_at, drop column kind,
        alter column slot set not null, alter column generation set not null;
    `);
  }
}
