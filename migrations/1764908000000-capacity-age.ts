import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A job that gave its capacity back because its provider had no room keeps the age of its request, so that ageing counts for such a
 * job, too. Time in which it held capacity is no waiting: `first_granted_at` tells when that time began.
 */
export class CapacityAge1764908000000 implements MigrationInterface {
  name = 'CapacityAge1764908000000';

  /** Adds the columns; what is granted was granted for the first time then, as far as anybody knows. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table capacity_requests add column first_granted_at timestamptz,
        add column may_ask_again boolean not null default false check (not may_ask_again or state = 'RELEASED');
      update capacity_requests set first_granted_at = granted_at where state = 'GRANTED';
    `);
  }

  /** Takes them away; a request that may come again is one that was never made. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from capacity_requests where may_ask_again;
      alter table capacity_requests drop column first_granted_at, drop column may_ask_again;
    `);
  }
}
