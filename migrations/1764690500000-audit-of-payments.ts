import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The provider of payments is an author of changes: a plan that begins or ends because an event tells of a subscription was
 * changed by nobody whom the audit log could name.
 */
export class AuditOfPayments1764690500000 implements MigrationInterface {
  name = 'AuditOfPayments1764690500000';

  /** Allows the author. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table audit_log drop constraint audit_log_author_kind_check,
        add constraint audit_log_author_kind_check check (author_kind in ('key', 'session', 'visitor', 'operator', 'payments'));
    `);
  }

  /** Allows the author no longer; entries of that author stay, because no statement removes an entry. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table audit_log drop constraint audit_log_author_kind_check,
        add constraint audit_log_author_kind_check check (author_kind in ('key', 'session', 'visitor', 'operator')) not valid;
    `);
  }
}
