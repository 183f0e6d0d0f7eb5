/** The activities of alerts. The mail server is outside and may hang; the next round makes up for one that failed. */
import { proxyActivities } from '@temporalio/workflow';
import type { AlertActivities } from '../../activities/alerts.ts';
import { STORAGE_QUEUE } from '../../src/contracts/names.ts';
import { PATIENT_RETRY } from './activities.ts';

/** Mails, one after another. */
export const alerts = proxyActivities<AlertActivities>({
  taskQueue: STORAGE_QUEUE,
  startToCloseTimeout: '30m',
  retry: { ...PATIENT_RETRY, maximumAttempts: 2 },
});
