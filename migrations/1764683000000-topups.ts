import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `topups`: purchases of credits, written before the provider of payments is asked. `payment_customers`: one customer of the
 * provider for each account. `payment_events`: each event of the provider once; the event is a hint to read its object, so its body
 * is not kept.
 */
export class Topups1764683000000 implements MigrationInterface {
  name = 'Topups1764683000000';

  /** Adds the tables. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table payment_customers (
        account_id uuid primary key references accounts,
        customer_id text not null unique,
        created_at timestamptz not null default now()
      );
      create table topups (
        id uuid primary key,
        account_id uuid not null references accounts,
        tier_id text not null,
        amount_pence bigint not null check (amount_pence > 0),
        bonus_pence bigint not null check (bonus_pence >= 0),
        state text not null default 'CREATED'
          check (state in ('CREATED', 'OPEN', 'PROCESSING', 'PAID', 'FAILED', 'EXPIRED')),
        fingerprint text not null,
        success_url text not null,
        cancel_url text not null,
        checkout_id text unique,
        checkout_url text,
        payment_id text unique,
        invoice_url text,
        receipt_url text,
        tax_pence bigint not null default 0 check (tax_pence >= 0),
        parked text,
        expires_at timestamptz not null,
        created_at timestamptz not null default clock_timestamp(),
        updated_at timestamptz not null default clock_timestamp(),
        paid_at timestamptz,
        check (checkout_id is not null or state in ('CREATED', 'FAILED', 'EXPIRED')),
        check ((state = 'PAID') = (paid_at is not null))
      );
      create index topups_account on topups (account_id, created_at, id);
      create table payment_events (
        id text primary key,
        type text not null,
        object_id text not null,
        is_live boolean not null,
        created_at timestamptz not null,
        received_at timestamptz not null default clock_timestamp(),
        handled_at timestamptz,
        parked text
      );
      create index payment_events_open on payment_events (received_at) where handled_at is null;
    `);
  }

  /** Drops the tables; what was posted stays in the ledger. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table payment_events; drop table topups; drop table payment_customers');
  }
}
