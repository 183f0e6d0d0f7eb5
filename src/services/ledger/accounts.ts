/** Balances of customers: opened once, locked for every movement. */
import { LedgerBalanceEntity } from '../../../entities/ledger.ts';
import type { LedgerBalance } from '../../../entities/ledger.ts';
import type { CustomerAccount } from '../../domain/ledger.ts';
import { insertIfNew } from '../insert-if-new.ts';
import type { Row } from '../row.ts';
import type { Queryable, Tx } from '../transaction.ts';

/** A customer's balances under lock, as they are now. */
export interface LockedBalances {
  readonly accountId: string;
  readonly pence: Readonly<Record<CustomerAccount, number>>;
  /** The number of transfers so far. */
  readonly version: number;
}

/**
 * Over a row of `ledger_balances`: the monthly credits that a hold may take. Those of a period that has ended lie there
 * until the next one begins, and nobody can spend them.
 */
export const MONTHLY_AVAILABLE = `case when monthly_ends_at > now() then monthly else 0 end`;

type BalancesRow = Row<
  LedgerBalance,
  'wallet' | 'walletHeld' | 'monthly' | 'monthlyHeld' | 'debt' | 'version'
> &
  Pick<LedgerBalance, 'accountId'>;

/** Gives a customer balances of nothing; once, however often it is called. */
export async function openAccount(tx: Queryable, accountId: string): Promise<void> {
  await insertIfNew(tx, LedgerBalanceEntity, { accountId });
}

/**
 * Locks the balances of the customers until the transaction ends. One statement, in id order: else two movements over
 * the same customers deadlock. What is read afterwards in the same transaction is up to date.
 */
export async function lockAccounts(
  tx: Tx,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, LockedBalances>> {
  const rows = await tx.query<BalancesRow[]>(
    `select account_id as "accountId", wallet, wallet_held, monthly, monthly_held, debt, version
     from ledger_balances where account_id = any($1::uuid[]) order by account_id for no key update`,
    [accountIds],
  );
  return new Map(rows.map(({ accountId, version, ...pence }) => [accountId, { accountId, version, pence }]));
}
