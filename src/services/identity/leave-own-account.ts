/**
 * Leaving an account of one's own: a person who is alone in an account in which nothing is left may go, and the account is closed
 * behind that person. Somebody who signed up once and is then invited to a team need not ask an operator for that.
 */
import type { Author } from '../audit/index.ts';
import { lockAccounts, MONTHLY_AVAILABLE } from '../ledger/index.ts';
import type { Queryable, Tx } from '../transaction.ts';
import { closeIn } from './account-state.ts';
import { IS_OPEN } from './key-records.ts';

/** Lists the things that keep the only person of an account there, in words; empty when the person may go. */
export async function whatKeeps(db: Queryable, accountId: string): Promise<readonly string[]> {
  const [found] = await db.query<Readonly<Record<string, boolean>>[]>(
    `select (select count(*) > 1 from users where account_id = $1) as "other people",
       b.wallet + b.wallet_held + b.monthly_held + ${MONTHLY_AVAILABLE} > 0 as credits, b.debt < 0 as debt,
       exists (select from jobs where account_id = $1) as jobs,
       exists (select from api_keys k where k.account_id = $1 and ${IS_OPEN}) as "API keys",
       a.plan <> 'free' as "a paid plan",
       exists (select from topups where account_id = $1 and state in ('CREATED', 'OPEN', 'PROCESSING')) as "a payment under way"
     from ledger_balances b join accounts a on a.id = b.account_id where b.account_id = $1`,
    [accountId],
  );
  return Object.entries(found ?? {}).flatMap(([what, isThere]) => (isThere ? [what] : []));
}

/** Closes the account that its only person leaves. @returns what keeps the person there; empty when the account is closed. */
export async function closeBehind(tx: Tx, accountId: string, by: Author): Promise<readonly string[]> {
  await lockAccounts(tx, [accountId]);
  const kept = await whatKeeps(tx, accountId);
  if (kept.length === 0) await closeIn(tx, { accountId, reason: 'Its only person has left.', by });
  return kept;
}
