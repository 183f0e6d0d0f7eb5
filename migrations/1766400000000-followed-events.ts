import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events get what customers follow them by: an id of their own for ever, because numbers may be given again after a restore; and a
 * type, so that a reader of some types reads those rows alone. Rows of before get both.
 */
export class FollowedEvents1766400000000 implements MigrationInterface {
  name = 'FollowedEvents1766400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table events
        -- The id that customers know, of version 7; no other event ever has it, whatever is restored.
        add column public_id uuid not null default uuidv7(),
        -- The type that customers know. A change of state has a type for each state.
        add column type text not null generated always as (case kind
          when 'job.status' then coalesce('job.' || lower(payload ->> 'status'), kind)
          when 'account.state' then coalesce('account.' || lower(payload ->> 'state'), kind)
          else kind end) stored;
      create index events_type on events (account_id, type, id) where id is not null;
      create index events_subject on events (account_id, subject, id) where id is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index events_subject, events_type;
      alter table events drop column type, drop column public_id`);
  }
}
