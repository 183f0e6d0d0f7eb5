/**
 * The one way by which credits move, apart from holds (holds.ts), which write the same tables with keys of their own. A
 * batch is written as a whole or not at all. Every transfer has a key, and a repeated transfer with the same input
 * answers the first result.
 */
import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';

import type { LedgerTransfer } from '../../../entities/ledger.ts';
import { inactiveAccount } from '../../domain/account-state.ts';
import type { InactiveState } from '../../domain/account-state.ts';
import { adjustmentPosting, promoPosting } from '../../domain/ledger.ts';
import type { TransferKind } from '../../domain/ledger.ts';
import { AppError } from '../../domain/errors.ts';
import { inTransaction, isUniqueViolation } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { lockAccounts } from './accounts.ts';
import { WRITE_BATCH, composeBatch } from './batch.ts';
import type { TransferInput } from './batch.ts';

/** A transfer that is in the ledger. `replayed` is true when the transfer was in the ledger before this call. */
export interface PostedTransfer {
  readonly id: string;
  readonly key: string;
  readonly replayed: boolean;
}

/** Transfers by which the service gives credits away. */
const GIFTS: ReadonlySet<TransferKind> = new Set<TransferKind>(['promo', 'monthly_grant']);

type KnownTransfer = Pick<LedgerTransfer, 'id' | 'inputSha256'> & {
  readonly key: LedgerTransfer['idempotencyKey'];
};

/**
 * Writes transfers, in the order given. Locks their customers' balances until the transaction ends.
 * @throws IDEMPOTENCY_KEY_REUSED when a key stands for another transfer; INSUFFICIENT_CREDITS; for a grant
 * ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
 */
export async function postTransfers(
  tx: Tx,
  transfers: readonly TransferInput[],
): Promise<readonly PostedTransfer[]> {
  const inputs = transfers.map((transfer) => ({ ...transfer, inputSha256: hashOf(transfer) }));
  const keys = inputs.map((transfer) => transfer.key);
  if (new Set(keys).size < keys.length) throw new Error('A batch names a key twice');
  const locked = await lockAccounts(tx, [...new Set(inputs.map((transfer) => transfer.accountId))]);
  const known = new Map<string, KnownTransfer>();
  const rows = await tx.query<KnownTransfer[]>(
    `select id, idempotency_key as key, input_sha256 as "inputSha256" from ledger_transfers where idempotency_key = any($1::text[])`,
    [keys],
  );
  for (const row of rows) known.set(row.key, row);
  for (const input of inputs) {
    const earlier = known.get(input.key);
    if (earlier !== undefined && earlier.inputSha256 !== input.inputSha256) throw keyReused(input.key);
  }
  const fresh = inputs.filter((input) => !known.has(input.key));
  await refuseInactive(tx, fresh);
  const batch = composeBatch(locked, fresh);
  if (fresh.length > 0) {
    try {
      await tx.query(WRITE_BATCH, [...batch.parameters]);
    } catch (error) {
      // A transfer of another customer took the key since the look-up; the lock excludes that for the same customer.
      if (isUniqueViolation(error, 'ledger_transfers_idempotency_key_key')) throw keyReused(keys.join(', '));
      throw error;
    }
  }
  const ids = new Map(fresh.map((input, index) => [input.key, batch.transferIds[index] ?? '']));
  return keys.map((key) => ({ id: known.get(key)?.id ?? ids.get(key) ?? '', key, replayed: known.has(key) }));
}

/**
 * Refuses credits that are given to an account that is not active. To be called under the lock of the balances. Whatever
 * was paid, held or disputed is booked in every state, because it has happened.
 */
async function refuseInactive(tx: Tx, transfers: readonly TransferInput[]): Promise<void> {
  const given = transfers.filter(({ kind }) => GIFTS.has(kind)).map(({ accountId }) => accountId);
  if (given.length === 0) return;
  const [found] = await tx.query<{ readonly state: InactiveState }[]>(
    `select state from accounts where id = any($1::uuid[]) and state <> 'ACTIVE' order by id limit 1`,
    [given],
  );
  if (found !== undefined) throw inactiveAccount(found.state);
}

/** A gift of credits. */
export interface CreditGrant {
  readonly accountId: string;
  readonly amountPence: number;
  /** The key of the grant; a key grants credits once. */
  readonly key: string;
  readonly description: string;
}

/** The transfer of a gift, for a batch that the caller composes. */
export function grantTransfer(grant: CreditGrant): TransferInput {
  const { accountId, amountPence, key, description } = grant;
  return { ...promoPosting(amountPence), key: `promo/${key}`, accountId, description };
}

/**
 * Gives a customer promotional credits.
 * @throws IDEMPOTENCY_KEY_REUSED when the key stands for another grant; ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
 */
export async function grantCredits(db: DataSource, grant: CreditGrant): Promise<PostedTransfer> {
  const [posted] = await inTransaction(db, (tx) => postTransfers(tx, [grantTransfer(grant)]));
  if (posted === undefined) throw new Error('A grant was not posted');
  return posted;
}

/** A correction of a wallet; a negative amount takes credits away. */
export interface CreditAdjustment extends CreditGrant {
  /** Whether what the wallet does not cover becomes a debt, in the place of a refusal. */
  readonly mayOwe: boolean;
}

/**
 * Corrects the wallet of a customer, in every state of the account.
 * @throws IDEMPOTENCY_KEY_REUSED when the key stands for another adjustment; INSUFFICIENT_CREDITS.
 */
export async function adjustCredits(db: DataSource, adjustment: CreditAdjustment): Promise<PostedTransfer> {
  const [posted] = await inTransaction(db, (tx) => postTransfers(tx, [adjustmentTransfer(adjustment)]));
  if (posted === undefined) throw new Error('An adjustment was not posted');
  return posted;
}

/** The transfer of an adjustment. */
export function adjustmentTransfer(adjustment: CreditAdjustment): TransferInput {
  const { accountId, amountPence, key, description, mayOwe } = adjustment;
  return {
    ...adjustmentPosting(amountPence),
    key: `adjust/${key}`,
    accountId,
    description,
    mayOwe,
  };
}

/**
 * The digest of what a transfer was asked to do, whatever part of it pays a debt. The description is left out, so that its
 * wording may change.
 */
function hashOf(transfer: TransferInput): string {
  const lines = transfer.lines.map((line) => [line.account, line.amountPence]).sort();
  const { kind, accountId, jobId = null, holdId = null, tierId = null, reversesId = null } = transfer;
  const input = [kind, accountId, lines, jobId, holdId, tierId, reversesId];
  return digestOf(transfer.mayOwe === true ? [...input, 'may owe'] : input);
}

/** The digest of the input that a key belongs to. */
export function digestOf(input: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('hex');
}

/** The refusal of a key that stands for another movement. */
export function keyReused(key: string): AppError {
  return new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'The idempotency key was used for another movement of credits.',
    { cause: key },
  );
}
