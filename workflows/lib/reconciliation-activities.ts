/** The activity of reconciliation, which reads at length from the provider of payments. */
import { proxyActivities } from '@temporalio/workflow';
import type { ReconciliationActivities } from '../../activities/reconciliation.ts';
import { STORAGE_QUEUE } from '../../src/contracts/names.ts';
import { PATIENT_RETRY } from './activities.ts';

/** Reconciliation; the next night makes up for a round that failed, so few attempts are made. */
export const reconciliation = proxyActivities<ReconciliationActivities>({
  taskQueue: STORAGE_QUEUE,
  startToCloseTimeout: '2h',
  heartbeatTimeout: '60s',
  retry: { ...PATIENT_RETRY, initialInterval: '1m', maximumInterval: '30m', maximumAttempts: 5 },
});
