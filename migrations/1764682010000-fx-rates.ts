import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `fx_rates`: the exchange rates, USD to GBP, as one schedule has fetched them. Every process prices with the newest accepted
 * rate, so processes quote alike, and a restart or a source that is away forgets no rate. A rate that jumped waits as
 * PENDING for an operator; a rate that came after it makes it SUPERSEDED, so at most one rate waits.
 */
export class FxRates1764682010000 implements MigrationInterface {
  name = 'FxRates1764682010000';

  /** Adds the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table fx_rates (
        id bigint generated always as identity primary key,
        rate_micro integer not null check (rate_micro > 0),
        source text not null,
        rate_date date not null,
        state text not null check (state in ('ACCEPTED', 'PENDING', 'SUPERSEDED')),
        fetched_at timestamptz not null default clock_timestamp(),
        accepted_at timestamptz,
        check ((state = 'ACCEPTED') = (accepted_at is not null))
      );
      create index fx_rates_accepted on fx_rates (id desc) where state = 'ACCEPTED';
      create unique index fx_rates_pending on fx_rates (state) where state = 'PENDING';
    `);
  }

  /** Drops the table; quotes keep the rates that they were made with. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table fx_rates');
  }
}
