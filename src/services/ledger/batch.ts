/**
 * A batch of transfers as the rows it writes. Balances are followed through the batch and checked at its end, so the
 * order of transfers inside it does not matter.
 */
import { v7 as uuidv7 } from 'uuid';

import { isBalanced, isCustomerAccount } from '../../domain/ledger.ts';
import type { Posting } from '../../domain/ledger.ts';
import { AppError } from '../../domain/errors.ts';
import { accountOf } from './accounts.ts';
import type { LockedAccount, LockedAccounts } from './accounts.ts';

/** A transfer to be written. The same key with the same input is written once. */
export interface TransferInput extends Posting {
  readonly key: string;
  readonly accountId: string;
  readonly description: string;
  readonly jobId?: string;
  readonly holdId?: string;
  readonly tierId?: string;
  readonly reversesId?: string;
}

/** Rows of a batch, as parameters of `postCtes`. */
export interface Batch {
  readonly transferIds: readonly string[];
  /** Arrays, one a column: transfers, entries, balances. */
  readonly parameters: readonly (readonly unknown[])[];
}

/** The first parameter of a statement around `postCtes` that is its own. */
export const FIRST_OWN_PARAMETER = 20;

/**
 * Common table expressions that write a batch; its parameters are $1 to $19. `condition` decides whether anything is
 * written. The clock is read under the customer's lock, so a customer's transfers are ordered by it. Arrays rather than
 * JSON: the planner sees how few rows they have and goes by index.
 */
export function postCtes(condition = 'true'): string {
  return `
    posted as (
      insert into ledger_transfers (id, account_id, kind, idempotency_key, input_sha256, job_id, hold_id, tier_id,
        reverses_id, description, created_at)
      select t.*, clock_timestamp() from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[],
        $7::uuid[], $8::text[], $9::uuid[], $10::text[]) t
      where ${condition}
    ),
    entered as (
      insert into ledger_entries (transfer_id, ledger_account_id, amount_pence, balance_after_pence, version)
      select e.transfer, coalesce(e.account, (select s.id from ledger_accounts s where s.account_id is null and s.kind = e.service)),
        e.pence, e.after, e.version
      from unnest($11::uuid[], $12::bigint[], $13::text[], $14::bigint[], $15::bigint[], $16::bigint[]) with ordinality
        e(transfer, account, service, pence, after, version, ordinal)
      where ${condition} order by e.ordinal
    ),
    balanced as (
      update ledger_accounts a set balance_pence = b.pence, version = b.version
      from unnest($17::bigint[], $18::bigint[], $19::bigint[]) b(id, pence, version)
      where a.id = b.id and ${condition}
    )`;
}

/** A transfer with the digest that its key stands for. */
export type KeyedTransfer = TransferInput & { readonly inputSha256: string };

interface EntryRow {
  readonly transfer: string;
  readonly account: number | null;
  readonly service: string | null;
  readonly pence: number;
  readonly after: number | null;
  readonly version: number | null;
}

/**
 * Works out the rows of a batch.
 * @throws INSUFFICIENT_CREDITS when a customer's account would be below zero after the whole batch.
 */
export function composeBatch(locked: LockedAccounts, transfers: readonly KeyedTransfer[]): Batch {
  const current = new Map<number, LockedAccount>();
  const entries: EntryRow[] = [];
  const ids = transfers.map(() => uuidv7());
  transfers.forEach((transfer, index) => {
    if (!isBalanced(transfer.lines)) throw new Error(`Transfer ${transfer.key} is not balanced`);
    const entry = { transfer: ids[index] ?? '', account: null, service: null, after: null, version: null };
    for (const { account, amountPence } of transfer.lines) {
      if (!isCustomerAccount(account)) {
        entries.push({ ...entry, service: account, pence: amountPence });
        continue;
      }
      const before = accountOf(locked, transfer.accountId, account);
      const now = current.get(before.id) ?? before;
      const after = { ...now, balancePence: now.balancePence + amountPence, version: now.version + 1 };
      current.set(before.id, after);
      entries.push({
        ...entry,
        account: after.id,
        pence: amountPence,
        after: after.balancePence,
        version: after.version,
      });
    }
  });
  const balances = [...current.values()];
  refuseOverdraft(balances);
  return { transferIds: ids, parameters: columnsOf(ids, transfers, entries, balances) };
}

function refuseOverdraft(balances: readonly LockedAccount[]): void {
  const below = balances.find((account) => account.balancePence < 0);
  if (below === undefined) return;
  throw new AppError('INSUFFICIENT_CREDITS', 'The available credits do not cover this.', {
    cause: `${below.kind} of ${below.accountId} would be ${String(below.balancePence)} pence`,
  });
}

function columnsOf(
  ids: readonly string[],
  transfers: readonly KeyedTransfer[],
  entries: readonly EntryRow[],
  balances: readonly LockedAccount[],
): readonly (readonly unknown[])[] {
  return [
    ids,
    transfers.map((transfer) => transfer.accountId),
    transfers.map((transfer) => transfer.kind),
    transfers.map((transfer) => transfer.key),
    transfers.map((transfer) => transfer.inputSha256),
    transfers.map((transfer) => transfer.jobId ?? null),
    transfers.map((transfer) => transfer.holdId ?? null),
    transfers.map((transfer) => transfer.tierId ?? null),
    transfers.map((transfer) => transfer.reversesId ?? null),
    transfers.map((transfer) => transfer.description),
    entries.map((entry) => entry.transfer),
    entries.map((entry) => entry.account),
    entries.map((entry) => entry.service),
    entries.map((entry) => entry.pence),
    entries.map((entry) => entry.after),
    entries.map((entry) => entry.version),
    balances.map((account) => account.id),
    balances.map((account) => account.balancePence),
    balances.map((account) => account.version),
  ];
}
