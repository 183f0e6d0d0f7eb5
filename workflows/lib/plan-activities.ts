/** The activities of plans: many short transactions. The next round makes up for one that failed, so few attempts are made. */
import { proxyActivities } from '@temporalio/workflow';
import type { PlanActivities } from '../../activities/plans.ts';
import { STORAGE_QUEUE } from '../../src/contracts/names.ts';
import { PATIENT_RETRY } from './activities.ts';

/** Work over every account that has something due, which must not hold up jobs. */
export const plans = proxyActivities<PlanActivities>({
  taskQueue: STORAGE_QUEUE,
  startToCloseTimeout: '10m',
  retry: { ...PATIENT_RETRY, maximumAttempts: 3 },
});
