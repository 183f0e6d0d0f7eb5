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
 * SQL over a row of `ledger_balances`: the monthly credits that a hold may take. The credits of a period that has ended
 * stay in the row until the next period begins, and cannot be spent.
 */
export const MONTHLY_AVAILABLE = `case when monthly_ends_at > now() then monthly else 0 end`;

type BalancesRow = Row<
  LedgerBalance,
  'wallet' | 'walletHeld' | 'monthly' | 'monthlyHeld' | 'debt' | 'version'
> &
  Pick<LedgerBalance, 'accountId'>;

/** Creates a customer's balances, all of them 0. A second call changes nothing. */
export async function openAccount(tx: Queryable, accountId: string): Promise<void> {
  await insertIfNew(tx, LedgerBalanceEntity, { accountId });
}

/**
 * Locks the balances of the customers until the transaction ends. One statement locks the rows in the order of their
 * ids, else two movements over the same customers could deadlock. The same transaction reads up-to-date rows
 * afterwards.
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
