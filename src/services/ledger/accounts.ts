/** Ledger accounts of customers: opened once, locked for every movement. */
import { CUSTOMER_ACCOUNTS } from '../../domain/ledger.ts';
import type { CustomerAccount } from '../../domain/ledger.ts';
import type { Queryable, Tx } from '../transaction.ts';

/** A locked account of a customer, as it is now. */
export interface LockedAccount {
  readonly id: number;
  readonly accountId: string;
  readonly kind: CustomerAccount;
  readonly balancePence: number;
  readonly version: number;
}

/** Every account of the locked customers, by customer and kind. */
export type LockedAccounts = ReadonlyMap<string, ReadonlyMap<CustomerAccount, LockedAccount>>;

/** Gives a customer the ledger accounts; once, however often it is called. */
export async function openAccount(tx: Queryable, accountId: string): Promise<void> {
  await tx.query(
    `insert into ledger_accounts (account_id, kind, balance_pence, version)
     select $1, kind, 0, 0 from unnest($2::text[]) kind on conflict do nothing`,
    [accountId, CUSTOMER_ACCOUNTS],
  );
}

/**
 * Locks every ledger account of the customers until the transaction ends. One statement, in id order: else two
 * movements over the same customers deadlock. What is read afterwards in the same transaction is up to date.
 */
export async function lockAccounts(tx: Tx, accountIds: readonly string[]): Promise<LockedAccounts> {
  return lockWhere(tx, 'account_id = any($1::uuid[])', accountIds);
}

/** Locks every ledger account of the customer whose hold this is; a hold never changes its owner. */
export async function lockAccountsOfHold(tx: Tx, holdId: string): Promise<LockedAccounts> {
  return lockWhere(tx, 'account_id = (select h.account_id from holds h where h.id = $1)', holdId);
}

async function lockWhere(tx: Tx, condition: string, parameter: unknown): Promise<LockedAccounts> {
  const rows = await tx.query<LockedAccount[]>(
    `select id, account_id as "accountId", kind, balance_pence as "balancePence", version
     from ledger_accounts where ${condition} order by id for no key update`,
    [parameter],
  );
  const locked = new Map<string, Map<CustomerAccount, LockedAccount>>();
  for (const row of rows) {
    const accounts = locked.get(row.accountId) ?? new Map<CustomerAccount, LockedAccount>();
    locked.set(row.accountId, accounts.set(row.kind, row));
  }
  return locked;
}

/** One locked account. @throws Error when the customer has no ledger accounts. */
export function accountOf(locked: LockedAccounts, accountId: string, kind: CustomerAccount): LockedAccount {
  const account = locked.get(accountId)?.get(kind);
  if (account === undefined) throw new Error(`Account ${accountId} has no ledger account ${kind}`);
  return account;
}
