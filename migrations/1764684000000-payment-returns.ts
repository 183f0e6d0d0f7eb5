import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `payment_returns`: refunds and disputes of top-ups, each with what is taken from the books for it now; `topups.returned_pence` is
 * their sum. The tax of a payment gets a ledger account of its own, so that `stripe_clearing` has what the provider has: prices with
 * their tax.
 */
export class PaymentReturns1764684000000 implements MigrationInterface {
  name = 'PaymentReturns1764684000000';

  /** Adds the table, the sum and the ledger account. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${soundTransfers('tax_payable,')}
      alter table topups add column returned_pence bigint not null default 0 check (returned_pence >= 0);
      create table payment_returns (
        id uuid primary key,
        topup_id uuid not null references topups,
        account_id uuid not null references accounts,
        kind text not null check (kind in ('refund', 'dispute')),
        provider_id text unique,
        status text not null,
        gross_pence bigint not null check (gross_pence >= 0),
        taken_pence bigint not null default 0 check (taken_pence >= 0),
        turns integer not null default 0,
        version integer not null default 0,
        credit_pence bigint check (credit_pence > 0),
        reason text,
        created_at timestamptz not null default clock_timestamp(),
        updated_at timestamptz not null default clock_timestamp(),
        check (kind = 'refund' or provider_id is not null)
      );
      create index payment_returns_topup on payment_returns (topup_id);
      create index payment_returns_open on payment_returns (created_at) where status = 'CREATED';
    `);
  }

  /** Drops the table and the sum; what was posted stays in the ledger. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table payment_returns;
      alter table topups drop column returned_pence;
      ${soundTransfers('')}
    `);
  }
}

/** The check of transfers, with further accounts of the service. */
function soundTransfers(further: string): string {
  const kinds = `'{topup,topup_bonus,promo,monthly_grant,monthly_expiry,hold,hold_increase,hold_release,charge,refund,dispute,adjustment}'::text[]`;
  const accounts = `'{wallet,wallet_held,monthly,monthly_held,debt,stripe_clearing,${further}bonus_expense,monthly_issued,monthly_expired,revenue,refunds,adjustments}'::text[]`;
  return `
    create or replace function ledger_transfer_is_sound(kind text, accounts text[], amounts bigint[]) returns boolean
    language plpgsql immutable strict parallel safe as $$
      declare
        total bigint := 0;
        lines integer := cardinality(accounts);
      begin
        if lines = 2 then -- Most transfers; one expression costs a third of what the loop does.
          return coalesce(kind = any(${kinds}) and accounts <@ ${accounts} and cardinality(amounts) = 2
            and accounts[1] <> accounts[2] and amounts[1] <> 0 and amounts[1] = -amounts[2], false);
        end if;
        if lines < 2 or lines <> cardinality(amounts) or array_ndims(accounts) <> 1 or array_ndims(amounts) <> 1
          or array_lower(accounts, 1) <> 1 or array_lower(amounts, 1) <> 1
          or not accounts <@ ${accounts} or kind <> all(${kinds})
        then
          return false;
        end if;
        for line in 1 .. lines loop
          if amounts[line] is null or amounts[line] = 0 or array_position(accounts, accounts[line]) <> line then
            return false;
          end if;
          total := total + amounts[line];
        end loop;
        return total = 0;
      end $$;`;
}
