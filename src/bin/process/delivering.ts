/** Work of a control worker for webhooks, besides the requests of their workflows: new events become deliveries, and workflows are told. */
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

import type { WebhookWorkflows } from '../../adapters/temporal/webhooks.ts';
import { keepAsking } from '../../services/tools/keep-asking.ts';
import { fanOut, wakeWebhooks } from '../../services/webhooks/index.ts';

/** How long an event may wait until its deliveries are made. */
const EVERY_MS = 1_000;

/** Fans out and tells workflows until the function that it answers is called. */
export function keepDelivering(
  db: DataSource,
  workflows: Pick<WebhookWorkflows, 'wake'>,
  logger: Pick<Logger, 'warn'>,
): () => void {
  const work = async (): Promise<void> => {
    await fanOut(db);
    await wakeWebhooks(db, (webhookId) => workflows.wake(webhookId));
  };
  return keepAsking(work, {
    everyMs: EVERY_MS,
    onFailure: (error) => logger.warn({ err: error }, 'webhooks could not be told of what is due'),
  });
}
