/** The activities of webhooks: messages to servers of customers, in a queue of their own. */
import { proxyActivities } from '@temporalio/workflow';

import type { WebhookActivities } from '../../activities/webhooks.ts';
import { WEBHOOK_QUEUE } from '../../src/contracts/names.ts';
import { PATIENT_RETRY } from './activities.ts';

/** Sends for ten seconds, and waits fifteen for the last answers; a claim lapses after a minute. */
export const webhooks = proxyActivities<WebhookActivities>({
  taskQueue: WEBHOOK_QUEUE,
  startToCloseTimeout: '1m',
  retry: PATIENT_RETRY,
});
