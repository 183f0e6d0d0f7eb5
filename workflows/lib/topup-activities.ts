/** The activities of top-ups: short calls of the provider of payments, tried until they succeed. */
import { proxyActivities } from '@temporalio/workflow';

import type { TopupActivities } from '../../activities/topups.ts';
import { PATIENT_RETRY } from './activities.ts';

/** Calls of the provider; an outage there is waited out without hurry. */
export const payments = proxyActivities<TopupActivities>({
  startToCloseTimeout: '2m',
  retry: { ...PATIENT_RETRY, maximumInterval: '10m' },
});
