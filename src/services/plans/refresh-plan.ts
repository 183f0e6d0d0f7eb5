/** The plan that follows from what an account has: the word of an operator, or a subscription that goes on. */
import { AccountEntity } from '../../../entities/accounts.ts';
import type { Plan } from '../../domain/plans.ts';
import type { Queryable, Tx } from '../transaction.ts';

/** A subscription in one of these states goes on; one that waits for a late payment keeps the plan, and has no new allowance. */
const LIVE = ['active', 'trialing', 'past_due'];

/** Whether a subscription of the account goes on. */
export async function hasSubscription(db: Queryable, accountId: string): Promise<boolean> {
  const rows = await db.query<unknown[]>(
    'select 1 from subscriptions where account_id = $1 and status = any($2) limit 1',
    [accountId, LIVE],
  );
  return rows.length > 0;
}

/** The plan of an account before and after. */
export interface RefreshedPlan {
  readonly former: Plan;
  readonly plan: Plan;
}

/**
 * Brings the plan of an account to what it has; to be called under the lock of its balances. The caller records a change in the
 * audit log, because the caller knows the author.
 */
export async function refreshPlan(tx: Tx, accountId: string): Promise<RefreshedPlan> {
  const [given] = await tx.query<unknown[]>(
    'select 1 from operator_plans where account_id = $1 and ended_at is null',
    [accountId],
  );
  const plan = given !== undefined || (await hasSubscription(tx, accountId)) ? 'pro' : 'free';
  const accounts = tx.getRepository(AccountEntity);
  const { plan: former } = await accounts.findOneByOrFail({ id: accountId });
  if (former !== plan) await accounts.update({ id: accountId }, { plan });
  return { former, plan };
}
