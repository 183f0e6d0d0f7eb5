/** Webhooks: all that the entry points use of them. */
import type { DataSource } from 'typeorm';

import { bound } from '../bound.ts';
import { listDeliveries, readDelivery, redeliver, redeliverFailed, testWebhook } from './deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  enableWebhook,
  listWebhooks,
  readWebhook,
  removeWebhook,
  rotateWebhookSecret,
} from './webhooks.ts';
import type { WebhookDependencies } from './webhooks.ts';

export { LOOPBACK_NETWORKS } from './addresses.ts';
export { fanOut, wakeWebhooks } from './fan-out.ts';
export { secretPlace } from './secrets.ts';
export { sendWebhooks } from './send.ts';
export type { SendDependencies, SentWebhooks } from './send.ts';
export { readWebhookStanding } from './standing.ts';
export type { WebhookStanding } from './standing.ts';
export { sweepWebhooks } from './sweep.ts';

/** Makes the operations on webhooks, for the API. */
export function createWebhooks(deps: WebhookDependencies) {
  const of = bound(deps);
  const read = bound<DataSource>(deps.db);
  return {
    list: read(listWebhooks),
    create: of(createWebhook),
    read: read(readWebhook),
    change: of(changeWebhook),
    remove: read(removeWebhook),
    rotateSecret: of(rotateWebhookSecret),
    enable: read(enableWebhook),
    test: read(testWebhook),
    deliveries: read(listDeliveries),
    readDelivery: read(readDelivery),
    redeliver: read(redeliver),
    redeliverFailed: read(redeliverFailed),
  };
}
