/** The activities of alerts. The mail server is outside and may hang; the next round makes up for one that failed. */
import type { AlertActivities } from '../../activities/alerts.ts';
import { STORAGE_QUEUE } from '../../src/contracts/names.ts';
import { PATIENT_RETRY } from './activities.ts';
import { routedTo } from './queues.ts';

/** Mails, one after another. */
export const alerts = routedTo<AlertActivities>(STORAGE_QUEUE, {
  startToCloseTimeout: '30m',
  retry: { ...PATIENT_RETRY, maximumAttempts: 2 },
});
