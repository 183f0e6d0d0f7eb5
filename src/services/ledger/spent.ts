/** Spent part of the limits of a UTC month, counted as holds count it: the month's charges, and the present holds. */
import type { Account } from '../../../entities/accounts.ts';
import type { LedgerBalance } from '../../../entities/ledger.ts';
import { AppError } from '../../domain/errors.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes, Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';

/** SQL of the first day of this month in UTC. */
const MONTH = `date_trunc('month', timezone('UTC', clock_timestamp()))`;

/** SQL of what a row of `key_limits` has taken of its limit. */
export function spentOfKey(row: string): string {
  return `(${row}.held_pence + case when ${row}.month = ${MONTH}::date then ${row}.month_charged_pence else 0 end)`;
}

/** Spending of an account in the month, as its owners are shown it. */
export interface SpentRow extends Row<Account, 'plan'>, ExactTimes<LedgerBalance, 'monthlyEndsAt'> {
  readonly starts_at: string;
  readonly ends_at: string;
  readonly spent_pence: number;
  readonly keys: readonly { readonly keyId: string; readonly spentPence: number }[];
}

/** Reads what was spent in the month. Each line of keys that has a limit is named by its newest key. @throws NOT_FOUND. */
export async function readSpent(db: Queryable, accountId: string): Promise<SpentRow> {
  const [row] = await db.query<SpentRow[]>(
    `select a.plan, ${exactTime('case when b.monthly_ends_at > now() then b.monthly_ends_at end')} as monthly_ends_at,
       ${exactTime(`${MONTH} at time zone 'UTC'`)} as starts_at,
       ${exactTime(`(${MONTH} + interval '1 month') at time zone 'UTC'`)} as ends_at,
       b.wallet_held + b.monthly_held + case when b.month = ${MONTH}::date then b.month_charged_pence else 0 end as spent_pence,
       (select coalesce(jsonb_agg(jsonb_build_object('keyId', s.id, 'spentPence', s.pence) order by s.id), '[]') from (
         select distinct on (l.key_id) k.id, ${spentOfKey('l')} as pence
         from key_limits l join api_keys k on k.account_id = $1 and coalesce(k.first_key_id, k.id) = l.key_id
         where l.account_id = $1 order by l.key_id, k.created_at desc, k.id desc) s) as keys
     from accounts a join ledger_balances b on b.account_id = a.id where a.id = $1`,
    [accountId],
  );
  if (row === undefined) throw new AppError('NOT_FOUND', `There is no account ${accountId}.`);
  return row;
}

/** Computes the rest of a limit; null without one. */
export function restOf(limitPence: number | null, spentPence: number): number | null {
  return limitPence === null ? null : Math.max(0, limitPence - spentPence);
}
