/**
 * Plans that operators give, without a provider of payments. The change of the plan moves the revocation epoch, so that every
 * process forgets the old plan, and stands in the audit log. A plan that ends leaves the allowance of the month that was granted:
 * it can be spent until its month ends, and no other is granted. A plan that is given again before goes on with that month.
 */
import type { DataSource } from 'typeorm';

import { AccountEntity } from '../../../entities/accounts.ts';
import { AllowancePeriodEntity, LedgerBalanceEntity } from '../../../entities/ledger.ts';
import { OperatorPlanEntity, PlanChangeEntity } from '../../../entities/plans.ts';
import { inactiveAccount } from '../../domain/account-state.ts';
import { AppError, keyReused } from '../../domain/errors.ts';
import type { Plan } from '../../domain/plans.ts';
import { recordChange } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import { insertIfNew } from '../insert-if-new.ts';
import { lockAccounts } from '../ledger/index.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { applyDueAllowance, databaseTime, operatorGrant } from './grant-allowances.ts';
import { refreshPlan } from './refresh-plan.ts';

/** A change that an operator asks for. */
export interface PlanChange {
  readonly accountId: string;
  readonly plan: Plan;
  /** A key changes a plan once, however often it is repeated. */
  readonly key: string;
  readonly reason: string;
}

/** Result of the change. */
export interface ChangedPlan {
  readonly accountId: string;
  readonly former: Plan;
  readonly plan: Plan;
  readonly replayed: boolean;
}

/**
 * Sets the plan of an account, and grants the allowance that is due with it.
 * @throws NOT_FOUND, ACCOUNT_CLOSED; VALIDATION_ERROR for free beside a subscription; IDEMPOTENCY_KEY_REUSED when the key stands for another change.
 */
export function setPlanAsOperator(
  db: DataSource,
  change: PlanChange,
  by: Author,
  at?: Date,
): Promise<ChangedPlan> {
  const { accountId, plan, key, reason } = change;
  return inTransaction(db, async (tx) => {
    const now = at ?? (await databaseTime(tx));
    await lockAccounts(tx, [accountId]);
    const account = await tx.getRepository(AccountEntity).findOneBy({ id: accountId });
    if (account === null) throw new AppError('NOT_FOUND', `There is no account ${accountId}.`);
    const { plan: former, state } = account;
    if (!(await insertIfNew(tx, PlanChangeEntity, { key, accountId, plan, reason }))) {
      const known = await tx.getRepository(PlanChangeEntity).findOneByOrFail({ key });
      if (known.accountId !== accountId || known.plan !== plan) throw keyReused();
      return { accountId, former, plan: former, replayed: true };
    }
    if (state === 'CLOSED') throw inactiveAccount(state);
    if (plan === 'pro') await beginPlan(tx, accountId, now);
    else await tx.getRepository(OperatorPlanEntity).update({ accountId }, { endedAt: now });
    if ((await refreshPlan(tx, accountId)).plan !== plan) throw goesOn();
    await applyDueAllowance(tx, accountId, now);
    await recordChange(tx, by, {
      accountId,
      action: 'plan.changed',
      subject: accountId,
      before: { plan: former },
      after: { plan, key, reason },
    });
    return { accountId, former, plan, replayed: false };
  });
}

/** Months are counted on from a plan whose allowance of this month was granted; else from now, or the end of the present period. */
async function beginPlan(tx: Tx, accountId: string, now: Date): Promise<void> {
  const plans = tx.getRepository(OperatorPlanEntity);
  const known = await plans.findOneBy({ accountId });
  if (known !== null && known.endedAt === null) return;
  const month = known === null ? null : operatorGrant(accountId, known.anchorAt, now);
  const isGranted =
    month !== null && (await tx.getRepository(AllowancePeriodEntity).existsBy({ id: month.id }));
  const { monthlyEndsAt } = await tx.getRepository(LedgerBalanceEntity).findOneByOrFail({ accountId });
  const isBusy = monthlyEndsAt !== null && monthlyEndsAt > now;
  const anchorAt = isGranted && known !== null ? known.anchorAt : isBusy ? monthlyEndsAt : now;
  await plans.save({ accountId, anchorAt, endedAt: null });
}

function goesOn(): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    'A subscription of the account goes on. End it at the provider of payments, which ends the plan.',
  );
}
