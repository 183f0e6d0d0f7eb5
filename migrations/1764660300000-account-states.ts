import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `accounts.state`: whether an account may start anything. Who changes the state locks the account's balances first, and
 * whoever reserves credits reads the state under the same lock, so no job is admitted to an account that was closed
 * meanwhile. `ledger_place_hold_if_active` does that in the one round trip of a hold; the release before calls
 * `ledger_place_hold`, which stays as it is.
 *
 * The triggers guard the caches of keys: whatever changes what a cached key stands for (the plan and the state of its
 * account; its scopes, its environment, its end, its removal) moves the revocation epoch in the same transaction and announces it. So
 * no writer can forget to, an operator's own statement included.
 */
export class AccountStates1764660300000 implements MigrationInterface {
  name = 'AccountStates1764660300000';

  /** Adds the state, closes the accounts whose files were removed, adds functions and triggers. */
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [STATE, PLACE, EPOCH]) await runner.query(sql);
  }

  /**
   * Takes all of it back; keys of closed accounts stay revoked. Fails while an account is suspended, because the release
   * before knows no such state and would take the keys of the account again.
   */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      do $$ begin
        if exists (select from accounts where state = 'SUSPENDED') then
          raise exception 'Some accounts are suspended. Close or reactivate them first.';
        end if;
      end $$;
      drop trigger api_keys_move_epoch_at_end on api_keys;
      drop trigger api_keys_move_epoch on api_keys;
      drop trigger accounts_move_epoch on accounts;
      drop function move_revocation_epoch;
      drop function ledger_place_hold_if_active;
      alter table accounts drop column state;
    `);
  }
}

const STATE = `
  alter table accounts add column state text not null default 'ACTIVE' check (state in ('ACTIVE', 'SUSPENDED', 'CLOSED'));
  update accounts set state = 'CLOSED' where id in (select account_id from account_removals);`;

/** Answers what \`ledger_place_hold\` answers; -1 when the account is suspended, -2 when it is closed. */
const PLACE = `
create function ledger_place_hold_if_active(hold uuid, customer uuid, job uuid, nth integer, amount bigint, transfer uuid,
  digest text) returns bigint language plpgsql as $$
declare
  standing text;
begin
  perform from ledger_balances where account_id = customer for no key update;
  -- This statement follows the wait for the lock, so it sees what the holder of the lock has committed.
  select state into standing from accounts where id = customer;
  if standing = 'SUSPENDED' then return -1; end if;
  if standing = 'CLOSED' then return -2; end if;
  return ledger_place_hold(hold, customer, job, nth, amount, transfer, digest);
end $$`;

const EPOCH = `
create function move_revocation_epoch() returns trigger language plpgsql as $$
begin
  update revocation_epoch set epoch = epoch + 1;
  perform pg_notify('dockyard_revoked', epoch::text) from revocation_epoch;
  return null;
end $$;
create trigger accounts_move_epoch after update of plan, state on accounts for each row
  when ((old.plan, old.state) is distinct from (new.plan, new.state)) execute function move_revocation_epoch();
create trigger api_keys_move_epoch after update of environment, scopes, expires_at, revoked_at on api_keys for each row
  when ((old.environment, old.scopes, old.expires_at, old.revoked_at)
    is distinct from (new.environment, new.scopes, new.expires_at, new.revoked_at))
  execute function move_revocation_epoch();
create trigger api_keys_move_epoch_at_end after delete on api_keys for each row execute function move_revocation_epoch();`;
