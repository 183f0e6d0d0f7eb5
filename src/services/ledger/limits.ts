/**
 * Cost limits: the most that a job, an account in a UTC month or an API key in a UTC month may cost, counting what was
 * charged and what is held. The functions that place holds compare under the lock of the customer's balances, so jobs that
 * are submitted together never pass a limit together. A limit below what is held already is taken, and counts for new holds.
 */
import type { DataSource } from 'typeorm';

import { ApiKeyEntity } from '../../../entities/accounts.ts';
import { KeyLimitEntity, LedgerBalanceEntity } from '../../../entities/ledger.ts';
import { AppError } from '../../domain/errors.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { lockAccounts } from './accounts.ts';

/** The limits of an account, in pence; null where there is none. */
export interface SpendingLimits {
  readonly jobLimitPence: number | null;
  readonly monthLimitPence: number | null;
  /** Below this amount of credits the owners are told; null for never. */
  readonly lowBalancePence: number | null;
  readonly keys: readonly { readonly keyId: string; readonly monthLimitPence: number }[];
}

/** A change of limits: what is left out stays, and null takes a limit away. */
export interface LimitChange {
  readonly jobLimitPence?: number | null;
  readonly monthLimitPence?: number | null;
  readonly lowBalancePence?: number | null;
  readonly key?: { readonly keyId: string; readonly monthLimitPence: number | null };
}

/** The limits of an account. @throws NOT_FOUND. */
export async function readLimits(
  db: Pick<DataSource, 'getRepository'>,
  accountId: string,
): Promise<SpendingLimits> {
  const balances = await db.getRepository(LedgerBalanceEntity).findOneBy({ accountId });
  if (balances === null) throw new AppError('NOT_FOUND', `There is no account ${accountId}.`);
  const keys = await db.getRepository(KeyLimitEntity).find({
    select: { keyId: true, monthLimitPence: true },
    where: { accountId },
    order: { keyId: 'ASC' },
  });
  const { jobLimitPence, monthLimitPence, lowBalancePence } = balances;
  return {
    jobLimitPence,
    monthLimitPence,
    lowBalancePence,
    keys: keys.map((key) => ({ keyId: key.keyId, monthLimitPence: key.monthLimitPence })),
  };
}

/**
 * Changes the limits of an account, as a whole or not at all.
 * @throws NOT_FOUND when there is no such account, or no such key of the account; RangeError for a limit that is no whole,
 * non-negative number of pence.
 */
export async function setLimits(
  db: DataSource,
  accountId: string,
  change: LimitChange,
): Promise<SpendingLimits> {
  return inTransaction(db, async (tx) => (await changeLimits(tx, accountId, change)).after);
}

/** Changes the limits of an account as `setLimits` does, as a part of a transaction, and tells what they were before. */
export async function changeLimits(
  tx: Tx,
  accountId: string,
  { key, ...ofAccount }: LimitChange,
): Promise<{ readonly before: SpendingLimits; readonly after: SpendingLimits }> {
  for (const pence of [...Object.values(ofAccount), key?.monthLimitPence]) requireLimit(pence);
  await lockAccounts(tx, [accountId]);
  const before = await readLimits(tx, accountId);
  if (Object.keys(ofAccount).length > 0)
    await tx.getRepository(LedgerBalanceEntity).update({ accountId }, ofAccount);
  if (key !== undefined) await setKeyLimit(tx, accountId, key);
  return { before, after: await readLimits(tx, accountId) };
}

/** Gives a key that was just made the limit of another key of the account. The new key holds and has spent nothing. */
export async function copyKeyLimit(
  tx: Tx,
  accountId: string,
  keys: { readonly from: string; readonly to: string },
): Promise<void> {
  await lockAccounts(tx, [accountId]);
  await tx.query(
    `insert into key_limits (key_id, account_id, month_limit_pence, held_pence, month, month_charged_pence)
     select $2, account_id, month_limit_pence, 0, month, 0 from key_limits where key_id = $1 and account_id = $3`,
    [keys.from, keys.to, accountId],
  );
}

/** Sets the limit of a key. The key's counters begin with what jobs of the key hold and were charged so far. */
async function setKeyLimit(
  tx: Tx,
  accountId: string,
  { keyId, monthLimitPence }: NonNullable<LimitChange['key']>,
): Promise<void> {
  if (!(await tx.getRepository(ApiKeyEntity).existsBy({ id: keyId, accountId })))
    throw new AppError('NOT_FOUND', `The account has no key ${keyId}.`);
  if (monthLimitPence === null) await tx.getRepository(KeyLimitEntity).delete({ keyId });
  else
    await tx.query(
      `insert into key_limits (key_id, account_id, month_limit_pence, held_pence, month, month_charged_pence)
       select $1::uuid, $2::uuid, $3::bigint, coalesce(sum(h.held_pence) filter (where h.state = 'OPEN'), 0), now.month,
         coalesce(sum(h.charged_pence) filter (where date_trunc('month', timezone('UTC', t.created_at))::date = now.month), 0)
       from (select date_trunc('month', timezone('UTC', clock_timestamp()))::date as month) now
         left join jobs j on j.account_id = $2 and j.caller_kind = 'key' and j.caller_id = $1
         left join holds h on h.job_id = j.id
         left join ledger_transfers t on t.idempotency_key = 'settle/' || h.id || '/charge'
       group by now.month
       on conflict (key_id) do update set month_limit_pence = excluded.month_limit_pence`,
      [keyId, accountId, monthLimitPence],
    );
  await tx.query(
    `update ledger_balances set key_limits = exists (select from key_limits where account_id = $1) where account_id = $1`,
    [accountId],
  );
}

function requireLimit(pence: number | null | undefined): void {
  if (pence === null || pence === undefined) return;
  if (!Number.isSafeInteger(pence) || pence < 0)
    throw new RangeError(`A limit of ${String(pence)} pence cannot be set`);
}
