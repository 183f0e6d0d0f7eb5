import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `subscription_payments`: the payments of invoices of subscriptions. These payments buy a plan and no credits, so the ledger knows
 * nothing of them, and the comparison of the provider's balance with the ledger leaves them out.
 */
export class SubscriptionPayments1764685300000 implements MigrationInterface {
  name = 'SubscriptionPayments1764685300000';

  /** Adds the table. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table subscription_payments (
        payment_id text primary key,
        subscription_id text not null references subscriptions,
        invoice_id text not null,
        created_at timestamptz not null default clock_timestamp()
      );
    `);
  }

  /** Drops the table. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table subscription_payments');
  }
}
