import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `operator_plans`: the plan pro of accounts by the word of an operator, with the time from which its months are counted. The row
 * stays when the plan ends, so that a plan that is given again within a month has that month's allowance once. `plan_changes`: each
 * change by its key.
 */
export class OperatorPlans1764685000000 implements MigrationInterface {
  name = 'OperatorPlans1764685000000';

  /** Adds the tables. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table operator_plans (
        account_id uuid primary key references accounts,
        anchor_at timestamptz not null,
        ended_at timestamptz
      );
      create table plan_changes (
        key text primary key,
        account_id uuid not null references accounts,
        plan text not null check (plan in ('free', 'pro')),
        reason text not null,
        created_at timestamptz not null default clock_timestamp()
      );
    `);
  }

  /** Drops the tables; accounts keep the plans that they have. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table plan_changes; drop table operator_plans');
  }
}
