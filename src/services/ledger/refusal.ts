/** Refusal that a hold would meet at this moment. Nothing is locked and nothing is reserved, so the next moment may differ. */
import type { Queryable } from '../transaction.ts';
import type { HoldRefusal, LimitRefusal } from './holds.ts';

/** A hold that might be placed for the next execution of a job. */
export interface WishedHold {
  readonly accountId: string;
  readonly jobId: string;
  readonly amountPence: number;
  /** The API key that would ask for the hold, for the limit of the key. */
  readonly keyId?: string;
}

const OF_ACCOUNT = `
  select ledger_refusal(b, $2::uuid, false, $3::bigint, clock_timestamp()) as refusal from ledger_balances b where account_id = $1`;

const OF_KEY = `
  select month_limit_pence as "limitPence", month_limit_pence - held_pence
      - case when month = date_trunc('month', timezone('UTC', clock_timestamp()))::date then month_charged_pence else 0 end as "restPence"
  from key_limits where account_id = $1 and key_id = (select coalesce(k.first_key_id, k.id) from api_keys k where k.id = $2)`;

/** Why the hold would be refused, null when it would be placed; the first of the reasons in the order in which holds name them. */
export async function refusalNow(db: Queryable, wished: WishedHold): Promise<HoldRefusal | null> {
  const { accountId, jobId, amountPence, keyId = null } = wished;
  const [account] = await db.query<{ refusal: HoldRefusal | null }[]>(OF_ACCOUNT, [
    accountId,
    jobId,
    amountPence,
  ]);
  if (account === undefined) throw new Error(`Account ${accountId} has no balances`);
  if (account.refusal !== null || keyId === null || amountPence === 0) return account.refusal;
  const [key] = await db.query<Omit<LimitRefusal, 'limit'>[]>(OF_KEY, [accountId, keyId]);
  if (key === undefined || key.restPence >= amountPence) return null;
  return { limit: 'key', limitPence: key.limitPence, restPence: Math.max(0, key.restPence) };
}
