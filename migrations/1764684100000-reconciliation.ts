import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `provider_transactions`: each movement of our balance at the provider of payments that belongs to a payment, kept so that a payment can be
 * compared as a whole. `reconciliation_differences`: what the books and the world outside do not agree on; a difference that is
 * gone has an end.
 */
export class Reconciliation1764684100000 implements MigrationInterface {
  name = 'Reconciliation1764684100000';

  /** Adds the tables. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table provider_transactions (
        id text primary key,
        kind text not null,
        payment_id text not null,
        amount_pence bigint not null,
        currency text not null,
        created_at timestamptz not null,
        seen_at timestamptz not null default clock_timestamp()
      );
      create index provider_transactions_payment on provider_transactions (payment_id);
      create index provider_transactions_time on provider_transactions (created_at);
      create table reconciliation_differences (
        id uuid primary key,
        check_name text not null,
        subject text not null,
        detail text not null,
        first_seen_at timestamptz not null default clock_timestamp(),
        last_seen_at timestamptz not null default clock_timestamp(),
        ended_at timestamptz
      );
      create unique index reconciliation_differences_open on reconciliation_differences (check_name, subject)
        where ended_at is null;
    `);
  }

  /** Drops the tables. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table reconciliation_differences; drop table provider_transactions');
  }
}
