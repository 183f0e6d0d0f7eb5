/**
 * The rows that a batch of transfers writes. The balances after each transfer are computed, and checked after the last
 * transfer only, so a batch may pass through less than zero. Each transfer that brings something into a wallet pays the
 * debt that it meets.
 */
import { v7 as uuidv7 } from 'uuid';

import {
  CUSTOMER_ACCOUNTS,
  isBalanced,
  isCustomerAccount,
  linesAt,
  mayStandAt,
} from '../../domain/ledger.ts';
import type { CustomerAccount, Posting } from '../../domain/ledger.ts';
import { AppError } from '../../domain/errors.ts';
import type { LockedBalances } from './accounts.ts';

/** A transfer to be written. The same key with the same input is written once. */
export interface TransferInput extends Posting {
  readonly key: string;
  readonly accountId: string;
  readonly description: string;
  readonly jobId?: string;
  readonly holdId?: string;
  readonly tierId?: string;
  readonly reversesId?: string;
  /** Whether what the wallet does not cover becomes a debt, in the place of a refusal. */
  readonly mayOwe?: boolean;
}

/** A transfer with the digest that its key stands for. */
export type KeyedTransfer = TransferInput & { readonly inputSha256: string };

/** Rows of a batch, as the parameters of `WRITE_BATCH`. */
export interface Batch {
  readonly transferIds: readonly string[];
  readonly parameters: readonly unknown[];
}

/**
 * Writes a batch. The clock is read under the customer's lock, so the times of a customer's transfers are in their
 * order.
 */
export const WRITE_BATCH = `
  with posted as (
    insert into ledger_transfers (id, account_id, version, kind, idempotency_key, input_sha256, job_id, hold_id, tier_id,
      reverses_id, description, accounts, amounts_pence, wallet_after, wallet_held_after, monthly_after,
      monthly_held_after, debt_after, created_at)
    select t.id, t.account_id, t.version, t.kind, t.key, t.sha256, t.job_id, t.hold_id, t.tier_id, t.reverses_id,
      t.description, t.accounts, t.amounts, t.wallet, t.wallet_held, t.monthly, t.monthly_held, t.debt, clock_timestamp()
    from jsonb_to_recordset($1::jsonb) t(id uuid, account_id uuid, version bigint, kind text, key text, sha256 text,
      job_id uuid, hold_id uuid, tier_id text, reverses_id uuid, description text, accounts text[], amounts bigint[],
      wallet bigint, wallet_held bigint, monthly bigint, monthly_held bigint, debt bigint)
  ), moved as (
    update ledger_balances b set wallet = n.wallet, wallet_held = n.wallet_held, monthly = n.monthly,
      monthly_held = n.monthly_held, debt = n.debt, version = n.version
    from jsonb_to_recordset($2::jsonb) n(account_id uuid, version bigint, wallet bigint, wallet_held bigint, monthly bigint,
      monthly_held bigint, debt bigint)
    where b.account_id = n.account_id
  )
  select 1 as written`;

/**
 * Works out the rows of a batch.
 * @throws INSUFFICIENT_CREDITS when credits of a customer would be below zero after the whole batch; Error when a debt
 * would be above zero, because more was paid than is owed, or beside credits in the wallet.
 */
export function composeBatch(
  locked: ReadonlyMap<string, LockedBalances>,
  transfers: readonly KeyedTransfer[],
): Batch {
  const current = new Map<string, LockedBalances>();
  const rows = transfers.map((given) => {
    if (!isBalanced(given.lines)) throw new Error(`Transfer ${given.key} is not balanced`);
    const before = current.get(given.accountId) ?? locked.get(given.accountId);
    if (before === undefined) throw new Error(`Account ${given.accountId} has no balances`);
    const transfer = { ...given, lines: linesAt(given.lines, before.pence, given.mayOwe === true) };
    const after = balancesAfter(before, transfer);
    current.set(transfer.accountId, after);
    return rowOf(uuidv7(), transfer, after);
  });
  const balances = [...current.values()];
  balances.forEach(refuseOverdraft);
  return {
    transferIds: rows.map((row) => row.id),
    parameters: [JSON.stringify(rows), JSON.stringify(balances.map(balanceRow))],
  };
}

function balancesAfter(before: LockedBalances, transfer: TransferInput): LockedBalances {
  const pence: Record<CustomerAccount, number> = { ...before.pence };
  for (const { account, amountPence } of transfer.lines)
    if (isCustomerAccount(account)) pence[account] += amountPence;
  return { ...before, pence, version: before.version + 1 };
}

function refuseOverdraft({ accountId, pence }: LockedBalances): void {
  if (pence.debt < 0 && pence.wallet > 0)
    throw new Error(`${accountId} would owe ${String(-pence.debt)} pence beside credits in the wallet`);
  const beyond = CUSTOMER_ACCOUNTS.find((account) => !mayStandAt(account, pence[account]));
  if (beyond === undefined) return;
  const cause = `${beyond} of ${accountId} would be ${String(pence[beyond])} pence`;
  if (beyond === 'debt') throw new Error(`More is paid than is owed: ${cause}`);
  throw new AppError('INSUFFICIENT_CREDITS', 'The available credits do not cover this.', { cause });
}

function balanceRow({ accountId, version, pence }: LockedBalances) {
  return { account_id: accountId, version, ...pence };
}

function rowOf(id: string, transfer: KeyedTransfer, after: LockedBalances) {
  return {
    ...balanceRow(after),
    id,
    kind: transfer.kind,
    key: transfer.key,
    sha256: transfer.inputSha256,
    job_id: transfer.jobId,
    hold_id: transfer.holdId,
    tier_id: transfer.tierId,
    reverses_id: transfer.reversesId,
    description: transfer.description,
    accounts: transfer.lines.map((line) => line.account),
    amounts: transfer.lines.map((line) => line.amountPence),
  };
}
