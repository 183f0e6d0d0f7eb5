import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events: what happened to the things of an account, for readers that follow them one after the other.
 *
 * `events.entry` is drawn when the row is written, before its transaction commits, so entries become visible out of
 * their order. `events.id` is drawn after the commit, by one numberer at a time, so a reader that has seen an id never
 * has to come back for a smaller one. An id is null until then. No column refers to another table: a reference would
 * lock the row of the account in every change of each of its jobs.
 */
export class Events1764560000000 implements MigrationInterface {
  name = 'Events1764560000000';

  /** Adds the table and the sequence of the ids. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table events (
        entry bigint generated always as identity primary key,
        id bigint,
        account_id uuid not null,
        kind text not null,
        subject text not null,
        payload jsonb not null,
        at timestamptz not null default clock_timestamp()
      );
      create sequence events_ids owned by events.id;
      create unique index events_id on events (id) where id is not null;
      create index events_account on events (account_id, id) where id is not null;
      create index events_unnumbered on events (entry) where id is null;
    `);
  }

  /** Takes them back; events are told by no other table. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table events;');
  }
}
