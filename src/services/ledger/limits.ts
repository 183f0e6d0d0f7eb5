/**
 * Cost limits: the most that a job, an account in a UTC month or an API key in a UTC month may cost, counting what was
 * charged and what is held. The functions that place holds compare under the lock of the customer's balances, so jobs that
 * are submitted together never pass a limit together. A limit below what is held already is taken, and counts for new holds.
 * Keys that take each other's place by rotation are a line, which has one limit and one row of counters: the new key goes on with
 * what the old one used, and while both keys work, both use the same limit.
 */
import type { DataSource } from 'typeorm';

import type { ApiKey } from '../../../entities/accounts.ts';
import { KeyLimitEntity, LedgerBalanceEntity } from '../../../entities/ledger.ts';
import { AppError } from '../../domain/errors.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable, Tx } from '../transaction.ts';
import { lockAccounts } from './accounts.ts';

/** The limits of an account, in pence; null where there is none. */
export interface SpendingLimits {
  readonly jobLimitPence: number | null;
  readonly monthLimitPence: number | null;
  /** Below this amount of credits the owners are told; null for never. */
  readonly lowBalancePence: number | null;
  /** The most that the keys of one member may cost together in a UTC month. */
  readonly memberKeysLimitPence: number | null;
  /** Each line of keys that has a limit, by the newest key of the line. */
  readonly keys: readonly { readonly keyId: string; readonly monthLimitPence: number }[];
}

/** A change of limits: what is left out stays, and null takes a limit away. */
export interface LimitChange {
  readonly jobLimitPence?: number | null;
  readonly monthLimitPence?: number | null;
  readonly lowBalancePence?: number | null;
  readonly memberKeysLimitPence?: number | null;
  readonly key?: { readonly keyId: string; readonly monthLimitPence: number | null };
}

const MONTH_NOW = `select date_trunc('month', timezone('UTC', clock_timestamp()))::date as month`;
/** SQL of what the holds \`h\` were charged by the transfers \`t\` in the month \`now.month\`. */
const CHARGED = `coalesce(sum(h.charged_pence) filter (where date_trunc('month', timezone('UTC', t.created_at))::date = now.month), 0)`;

/** The limits of an account. @throws NOT_FOUND. */
export async function readLimits(db: Queryable, accountId: string): Promise<SpendingLimits> {
  const balances = await db.getRepository(LedgerBalanceEntity).findOneBy({ accountId });
  if (balances === null) throw new AppError('NOT_FOUND', `There is no account ${accountId}.`);
  const keys = await db.query<SpendingLimits['keys'][number][]>(
    `select distinct on (l.key_id) k.id as "keyId", l.month_limit_pence as "monthLimitPence"
     from key_limits l join api_keys k on k.account_id = $1 and coalesce(k.first_key_id, k.id) = l.key_id
     where l.account_id = $1 order by l.key_id, k.created_at desc, k.id desc`,
    [accountId],
  );
  const { jobLimitPence, monthLimitPence, lowBalancePence, memberKeysLimitPence } = balances;
  return { jobLimitPence, monthLimitPence, lowBalancePence, memberKeysLimitPence, keys };
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

/** Computes the part of the limit of a member's keys that is left for one more key; null where any limit, or none, may be given. */
export async function roomForMemberKey(
  tx: Tx,
  accountId: string,
  userId: string,
): Promise<{ readonly limitPence: number; readonly restPence: number } | null> {
  await lockAccounts(tx, [accountId]);
  const { memberKeysLimitPence: limitPence } = await readLimits(tx, accountId);
  if (limitPence === null) return null;
  const [taken] = await tx.query<{ readonly pence: number; readonly unlimited: boolean }[]>(
    `select coalesce(sum(case when m.is_open then greatest(l.month_limit_pence, m.pence) else m.pence end), 0)::bigint as pence,
       coalesce(bool_or(m.is_open and l.key_id is null), false) as unlimited
     from (
       select mine.line, mine.is_open, coalesce(sum(h.held_pence) filter (where h.state = 'OPEN'), 0) + ${CHARGED} as pence
       from (${MONTH_NOW}) now
         cross join (
           select coalesce(k.first_key_id, k.id) as line,
             bool_or(k.revoked_at is null and (k.expires_at is null or k.expires_at > now())) as is_open
           from api_keys k where k.account_id = $1 and k.user_id = $2 and k.environment = 'live' group by 1) mine
         left join jobs j on j.account_id = $1
         left join holds h on h.job_id = j.id and h.key_id = mine.line
         left join ledger_transfers t on t.idempotency_key = 'settle/' || h.id || '/charge'
       group by mine.line, mine.is_open, now.month) m
     left join key_limits l on l.key_id = m.line`,
    [accountId, userId],
  );
  if (taken === undefined) throw new Error('A sum answered no row');
  return { limitPence, restPence: taken.unlimited ? 0 : Math.max(0, limitPence - taken.pence) };
}

/** Sets the limit of the line of a key. The counters of the line begin with what jobs of its keys hold and were charged so far. */
async function setKeyLimit(
  tx: Tx,
  accountId: string,
  { keyId, monthLimitPence }: NonNullable<LimitChange['key']>,
): Promise<void> {
  const [key] = await tx.query<Row<ApiKey, 'firstKeyId'>[]>(
    'select coalesce(k.first_key_id, k.id) as first_key_id from api_keys k where k.id = $1 and k.account_id = $2',
    [keyId, accountId],
  );
  if (!key?.first_key_id) throw new AppError('NOT_FOUND', `The account has no key ${keyId}.`);
  const line = key.first_key_id;
  if (monthLimitPence === null) await tx.getRepository(KeyLimitEntity).delete({ keyId: line });
  else
    await tx.query(
      `insert into key_limits (key_id, account_id, month_limit_pence, held_pence, month, month_charged_pence)
       select $1::uuid, $2::uuid, $3::bigint, coalesce(sum(h.held_pence) filter (where h.state = 'OPEN'), 0), now.month, ${CHARGED}
       from (${MONTH_NOW}) now
         left join jobs j on j.account_id = $2
         left join holds h on h.job_id = j.id and h.key_id = $1
         left join ledger_transfers t on t.idempotency_key = 'settle/' || h.id || '/charge'
       group by now.month
       on conflict (key_id) do update set month_limit_pence = excluded.month_limit_pence`,
      [line, accountId, monthLimitPence],
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
