/**
 * Monthly allowances that are due. Each call looks for allowances that are due now and not for those that a clock has told, so a
 * call that is repeated changes nothing, and one that comes late makes up for those that never came. An allowance whose whole
 * month went by unseen is not granted any more: it would have expired with its month.
 */
import type { DataSource } from 'typeorm';
import { v5 as uuidv5 } from 'uuid';

import { AccountEntity } from '../../../entities/accounts.ts';
import { LedgerBalanceEntity } from '../../../entities/ledger.ts';
import { OperatorPlanEntity } from '../../../entities/plans.ts';
import { planMonthAt, PRO_ALLOWANCE_PENCE } from '../../domain/plans.ts';
import { endAllowance, lockAccounts, startAllowance } from '../ledger/index.ts';
import type { AllowanceGrant } from '../ledger/index.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable, Tx } from '../transaction.ts';

/** How many accounts had something due. */
export interface GrantedAllowances {
  readonly granted: number;
  readonly expired: number;
}

type Done = keyof GrantedAllowances | null;

/** Namespace of the ids of periods that follow from an operator's plan. */
const PERIOD_IDS = '5f0f5a1c-3f6e-5b02-9a55-6d0c2f1f7a10';
const ACCOUNTS_AT_ONCE = 500;

/**
 * Another subscription of the account has the allowance of this time, and both went on when the later of the two periods began. A
 * payer of both has one allowance, whichever event came first.
 */
const BESIDE_ANOTHER = `exists (
  select from subscription_periods o join allowance_periods g on g.id = o.id
    join subscriptions theirs on theirs.id = o.subscription_id join subscriptions ours on ours.id = s.subscription_id
  where o.account_id = s.account_id and o.subscription_id <> s.subscription_id and o.returned_at is null
    and o.starts_at < s.ends_at and o.ends_at > s.starts_at
    and coalesce(theirs.ended_at, 'infinity') > s.starts_at and coalesce(ours.ended_at, 'infinity') > o.starts_at)`;

/** A period that is paid, goes on at $1 and was not granted. */
const DUE = `s.starts_at <= $1 and s.ends_at > $1 and s.returned_at is null
  and not exists (select from allowance_periods g where g.id = s.id) and not ${BESIDE_ANOTHER}`;

/** The time of the database, by which holds look whether monthly credits can still be spent. */
export async function databaseTime(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ readonly at: Date }[]>('select clock_timestamp() as at');
  if (row === undefined) throw new Error('The database told no time');
  return row.at;
}

/**
 * Grants every allowance that is due and not granted, and lets what is left of ended ones expire.
 * @throws the first failure, after every account was tried.
 */
export async function grantDueAllowances(db: DataSource, at?: Date): Promise<GrantedAllowances> {
  const now = at ?? (await databaseTime(db));
  const counts = { granted: 0, expired: 0 };
  const failures: unknown[] = [];
  for (let last: string | undefined, more = true; more;) {
    const due = await dueAccounts(db, now, last);
    for (const accountId of due)
      try {
        const done = await inTransaction(db, (tx) => applyDueAllowance(tx, accountId, now));
        if (done !== null) counts[done] += 1;
      } catch (error) {
        failures.push(error);
      }
    last = due.at(-1);
    more = due.length === ACCOUNTS_AT_ONCE;
  }
  if (failures.length > 0) throw failures[0];
  return counts;
}

/** Accounts whose period is over, and accounts with a plan that have no period. */
async function dueAccounts(db: DataSource, at: Date, after?: string): Promise<readonly string[]> {
  const rows = await db.query<{ readonly accountId: string }[]>(
    `select b.account_id as "accountId" from ledger_balances b join accounts a on a.id = b.account_id
       left join operator_plans p on p.account_id = b.account_id and p.ended_at is null and p.anchor_at <= $1
     where (b.monthly_ends_at <= $1 or b.monthly_period is null and a.state = 'ACTIVE' and (p.account_id is not null
         or exists (select from subscription_periods s where s.account_id = b.account_id and ${DUE})))
       and ($3::uuid is null or b.account_id > $3)
     order by b.account_id limit $2`,
    [at, ACCOUNTS_AT_ONCE, after ?? null],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Brings the allowance of an account to what it is at a time. The period that goes on is left alone. */
export async function applyDueAllowance(tx: Tx, accountId: string, at: Date): Promise<Done> {
  await lockAccounts(tx, [accountId]);
  const present = await tx.getRepository(LedgerBalanceEntity).findOneByOrFail({ accountId });
  if (present.monthlyEndsAt !== null && present.monthlyEndsAt > at) return null;
  const grant = await dueGrant(tx, accountId, at);
  if (grant !== null && (await startAllowance(tx, grant))) return 'granted';
  if (present.monthlyPeriod === null) return null;
  await endAllowance(tx, accountId, present.monthlyPeriod);
  return 'expired';
}

/** A period that was paid comes before a month that an operator gives. */
async function dueGrant(tx: Tx, accountId: string, at: Date): Promise<AllowanceGrant | null> {
  if (!(await tx.getRepository(AccountEntity).existsBy({ id: accountId, state: 'ACTIVE' }))) return null;
  const paid = await paidGrant(tx, accountId, at);
  if (paid !== null) return paid;
  const plan = await tx.getRepository(OperatorPlanEntity).findOneBy({ accountId });
  return plan === null || plan.endedAt !== null ? null : operatorGrant(accountId, plan.anchorAt, at);
}

/** The allowance of a period of a subscription that was paid and not granted yet. */
async function paidGrant(tx: Tx, accountId: string, at: Date): Promise<AllowanceGrant | null> {
  const [period] = await tx.query<{ readonly id: string; readonly startsAt: Date; readonly endsAt: Date }[]>(
    `select s.id, s.starts_at as "startsAt", s.ends_at as "endsAt" from subscription_periods s
     where ${DUE} and s.account_id = $2 order by s.starts_at, s.id limit 1`,
    [at, accountId],
  );
  return period === undefined ? null : { ...period, accountId, grantedPence: PRO_ALLOWANCE_PENCE };
}

/** Whether another subscription of the account has the allowance of a period that was paid. */
export async function isBesideAnother(db: Queryable, periodId: string): Promise<boolean> {
  const rows = await db.query<unknown[]>(
    `select 1 from subscription_periods s where s.id = $1 and ${BESIDE_ANOTHER}`,
    [periodId],
  );
  return rows.length > 0;
}

/** The allowance of the month that a time is in; the same month has the same id. */
export function operatorGrant(accountId: string, anchor: Date, at: Date): AllowanceGrant | null {
  const month = planMonthAt(anchor, at);
  if (month === null) return null;
  const { n, startsAt, endsAt } = month;
  const id = uuidv5(`${accountId}/${anchor.toISOString()}/${String(n)}`, PERIOD_IDS);
  return { id, accountId, startsAt, endsAt, grantedPence: PRO_ALLOWANCE_PENCE };
}
