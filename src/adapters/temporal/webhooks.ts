/** The workflows that send the deliveries of webhooks. */
import { CONTROL_QUEUE, webhookWorkflowId } from '../../contracts/names.ts';
import { WEBHOOK_MESSAGES } from '../../contracts/webhook.ts';
import type { WebhookInput } from '../../contracts/webhook.ts';
import { openTemporal } from './connection.ts';
import type { TemporalSettings } from './connection.ts';

/** Tells the workflows of webhooks. */
export interface WebhookWorkflows {
  /** Tells the workflow of a webhook that there is something to send, and starts the workflow where none runs. Throws when Temporal does not answer. */
  wake(webhookId: string): Promise<void>;
  close(): Promise<void>;
}

const WAKE_MS = 5_000;

/** Makes the messenger; nothing is sent before the first call. */
export function createWebhookWorkflows(
  settings: TemporalSettings & Pick<WebhookInput, 'maxHistoryEvents'>,
): WebhookWorkflows {
  const { connection, client } = openTemporal(settings);
  const { maxHistoryEvents } = settings;
  return {
    async wake(webhookId) {
      await connection.withDeadline(Date.now() + WAKE_MS, () =>
        client.workflow.signalWithStart<(input: WebhookInput) => Promise<void>>('webhook', {
          workflowId: webhookWorkflowId(webhookId),
          taskQueue: CONTROL_QUEUE,
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'USE_EXISTING',
          args: [{ webhookId, maxHistoryEvents }],
          signal: WEBHOOK_MESSAGES.due,
          signalArgs: [],
          staticSummary: 'deliveries of a webhook',
        }),
      );
    },
    close: () => connection.close(),
  };
}
