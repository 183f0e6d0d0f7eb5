import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The revocation epoch moves once for each statement that changes what keys stand for, not once for each row: whoever
 * revokes a thousand keys in one statement empties the caches of all processes once. A change of any column of `accounts` and
 * `api_keys` counts, except for the columns that the triggers name, because authentication does not read those; a
 * column that is added later counts until a trigger names it, too.
 */
export class EpochByStatement1764660400000 implements MigrationInterface {
  name = 'EpochByStatement1764660400000';

  /** Replaces the triggers of rows by triggers of statements. `move_revocation_epoch` stays for triggers of other tables. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger api_keys_move_epoch_at_end on api_keys;
      drop trigger api_keys_move_epoch on api_keys;
      drop trigger accounts_move_epoch on accounts;
      create function move_epoch_if_changed() returns trigger language plpgsql as $$
      begin
        if exists (select to_jsonb(before) - tg_argv from before except select to_jsonb(after) - tg_argv from after) then
          update revocation_epoch set epoch = epoch + 1;
          perform pg_notify('dockyard_revoked', epoch::text) from revocation_epoch;
        end if;
        return null;
      end $$;
      create function move_epoch_if_gone() returns trigger language plpgsql as $$
      begin
        if exists (select from before) then
          update revocation_epoch set epoch = epoch + 1;
          perform pg_notify('dockyard_revoked', epoch::text) from revocation_epoch;
        end if;
        return null;
      end $$;
      create trigger accounts_move_epoch after update on accounts referencing old table as before new table as after
        for each statement execute function move_epoch_if_changed('created_at');
      create trigger api_keys_move_epoch after update on api_keys referencing old table as before new table as after
        for each statement execute function move_epoch_if_changed('name', 'prefix', 'last4', 'created_at', 'last_used_at');
      create trigger api_keys_move_epoch_at_end after delete on api_keys referencing old table as before
        for each statement execute function move_epoch_if_gone();
    `);
  }

  /** Brings the triggers of rows back. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger api_keys_move_epoch_at_end on api_keys;
      drop trigger api_keys_move_epoch on api_keys;
      drop trigger accounts_move_epoch on accounts;
      drop function move_epoch_if_gone;
      drop function move_epoch_if_changed;
      create trigger accounts_move_epoch after update of plan, state on accounts for each row
        when ((old.plan, old.state) is distinct from (new.plan, new.state)) execute function move_revocation_epoch();
      create trigger api_keys_move_epoch after update of environment, scopes, expires_at, revoked_at on api_keys for each row
        when ((old.environment, old.scopes, old.expires_at, old.revoked_at)
          is distinct from (new.environment, new.scopes, new.expires_at, new.revoked_at))
        execute function move_revocation_epoch();
      create trigger api_keys_move_epoch_at_end after delete on api_keys for each row execute function move_revocation_epoch();
    `);
  }
}
