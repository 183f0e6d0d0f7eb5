import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `fx_rates.confirmed`: whether an operator accepted the rate. A fetched rate is compared with the rates that were in use a day and
 * a week ago, and a rate that an operator has accepted since then takes their place; else a true jump would wait anew at each fetch
 * of a week. What operators accepted before is read from the audit log.
 */
export class ConfirmedRates1765040200000 implements MigrationInterface {
  name = 'ConfirmedRates1765040200000';

  /** Adds the column. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table fx_rates add column confirmed boolean not null default false, add check (state = 'ACCEPTED' or not confirmed);
      update fx_rates r set confirmed = true from audit_log a
      where a.action = 'fx-rate.accepted' and a.subject = r.id::text and r.state = 'ACCEPTED'`);
  }

  /** Drops the column. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table fx_rates drop column confirmed');
  }
}
