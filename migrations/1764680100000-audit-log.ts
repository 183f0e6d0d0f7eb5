import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `audit_log`: who changed what of an account, from which address, and what it was before and after. A row is written in the
 * transaction of its change, so there is no change without its row and no row without its change; no statement changes or
 * removes a row. A row has no secret. `account_id` is null where a change belongs to no account. No column refers to
 * keys or sessions, because these may be removed before the rows that name them.
 */
export class AuditLog1764680100000 implements MigrationInterface {
  name = 'AuditLog1764680100000';

  /** Adds the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table audit_log (
        id uuid primary key,
        account_id uuid references accounts,
        author_kind text not null check (author_kind in ('key', 'session', 'visitor', 'operator')),
        author_id text,
        user_id uuid,
        address text,
        action text not null,
        subject text not null,
        before jsonb,
        after jsonb,
        created_at timestamptz not null default clock_timestamp()
      );
      create index audit_log_account on audit_log (account_id, created_at desc, id desc);
      create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
      create trigger audit_log_no_truncate before truncate on audit_log execute function refuse_change();
    `);
  }

  /** Drops the table with all that it has recorded. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table audit_log');
  }
}
