import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `subscriptions.ended_at` and `subscription_periods.returned_at`: two subscriptions of an account that go on at once have one allowance,
 * so the grant asks when each has ended; and a period whose payment went back has none.
 */
export class SubscriptionEnds1764689500000 implements MigrationInterface {
  name = 'SubscriptionEnds1764689500000';

  /** Adds the columns. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table subscriptions add column ended_at timestamptz;
      update subscriptions set ended_at = updated_at where status in ('canceled', 'incomplete_expired');
      alter table subscription_periods add column returned_at timestamptz;
    `);
  }

  /** Drops the columns. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table subscription_periods drop column returned_at;
      alter table subscriptions drop column ended_at;
    `);
  }
}
