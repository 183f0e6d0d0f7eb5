/** Rows of the entities of plans with every column set. */
import { OperatorPlanEntity, PlanChangeEntity } from '../../entities/plans.ts';
import { AT, accountId, otherAccountId, sample } from './entity-samples.ts';
import type { Sample } from './entity-samples.ts';

/** Rows of plans, in the order of their references. */
export const PLAN_SAMPLES: readonly Sample[] = [
  sample(
    OperatorPlanEntity,
    { accountId, anchorAt: AT, endedAt: AT },
    { endedAt: null },
    { accountId: otherAccountId },
  ),
  sample(PlanChangeEntity, { key: 'k', accountId, plan: 'pro', reason: 'r', createdAt: AT }),
];
