import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `subscriptions`: the subscriptions of accounts as the provider of payments last told of them. `subscription_periods`: each period of
 * a subscription whose invoice was paid, once; its id is that of the allowance period that is granted for it.
 */
export class Subscriptions1764685200000 implements MigrationInterface {
  name = 'Subscriptions1764685200000';

  /** Adds the tables. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table subscriptions (
        id text primary key,
        account_id uuid not null references accounts,
        status text not null,
        version integer not null,
        created_at timestamptz not null default clock_timestamp(),
        updated_at timestamptz not null default clock_timestamp()
      );
      create index subscriptions_account on subscriptions (account_id);
      create table subscription_periods (
        id uuid primary key,
        subscription_id text not null references subscriptions,
        account_id uuid not null references accounts,
        invoice_id text not null,
        starts_at timestamptz not null,
        ends_at timestamptz not null check (ends_at > starts_at),
        created_at timestamptz not null default clock_timestamp(),
        unique (subscription_id, starts_at)
      );
      create index subscription_periods_account on subscription_periods (account_id, ends_at);
    `);
  }

  /** Drops the tables; accounts keep the plans that they have. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table subscription_periods; drop table subscriptions');
  }
}
