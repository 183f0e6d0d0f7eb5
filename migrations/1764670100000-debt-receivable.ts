import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `debt` becomes a receivable: what a customer owes is a balance of zero or less. Before, a debt counted upwards like
 * credits, so that a transfer which took back more than the wallet had could not sum to zero: £10 taken back from a wallet
 * of £3 was +1000 for the service, -300 for the wallet and +700 for the debt.
 *
 * Transfers that moved a debt change the sign of that line. The lines of such a transfer summed to zero with some other line in the debt's place,
 * so the difference of the two signs goes to `adjustments`, where an auditor finds it; no line of a wallet and none of
 * money that was paid changes. The same statements, run again, give back what was there.
 */
export class DebtReceivable1764670100000 implements MigrationInterface {
  name = 'DebtReceivable1764670100000';

  /** Turns the sign of every debt. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table ledger_balances drop constraint ledger_balances_not_negative;
      ${TURN}
      alter table ledger_balances add constraint ledger_balances_signs
        check (least(wallet, wallet_held, monthly, monthly_held, -debt, version) >= 0);
    `);
  }

  /** Turns the signs back. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table ledger_balances drop constraint ledger_balances_signs;
      ${TURN}
      alter table ledger_balances add constraint ledger_balances_not_negative
        check (least(wallet, wallet_held, monthly, monthly_held, debt, version) >= 0);
    `);
  }
}

const TURN = `
  alter table ledger_transfers disable trigger ledger_transfers_append_only;
  update ledger_transfers t set accounts = turned.accounts, amounts_pence = turned.amounts
  from ledger_transfers o cross join lateral (
    select array_agg(account order by place) as accounts, array_agg(pence order by place) as amounts
    from (
      select account, sum(pence)::bigint as pence, min(place) as place
      from (
        select account, case account when 'debt' then -pence else pence end as pence, place
        from unnest(o.accounts, o.amounts_pence) with ordinality line(account, pence, place)
        union all
        select 'adjustments', 2 * o.amounts_pence[array_position(o.accounts, 'debt')], cardinality(o.accounts) + 1
      ) lines
      group by account
    ) summed
    where pence <> 0
  ) turned
  where o.id = t.id and 'debt' = any(o.accounts);
  update ledger_transfers set debt_after = -debt_after where debt_after <> 0;
  alter table ledger_transfers enable trigger ledger_transfers_append_only;
  update ledger_balances set debt = -debt where debt <> 0;
`;
