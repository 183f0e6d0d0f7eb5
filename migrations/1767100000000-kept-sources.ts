import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a kept revision names stays. An output that its job gives up (it was stopped behind, is made anew, or is done again) leaves the job
 * and stays with the account; an answered question stays until nobody has asked it for long.
 */
export class KeptSources1767100000000 implements MigrationInterface {
  name = 'KeptSources1767100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function keep_named_artifact() returns trigger language plpgsql as $$
      begin
        if not exists (select from molecular_sources s where s.artifact_id = old.id and s.account_id = old.account_id) then
          return old;
        end if;
        update artifacts set task_kind = null, task_ordinal = null, item_id = null where id = old.id;
        return null;
      end $$;
      create trigger artifacts_named before delete on artifacts for each row execute function keep_named_artifact();
      alter table inspections add column used_at timestamptz not null default now();
      create index inspections_used on inspections (used_at);
      drop index inspections_age`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index inspections_age on inspections (created_at);
      alter table inspections drop column used_at;
      drop trigger artifacts_named on artifacts;
      drop function keep_named_artifact()`);
  }
}
