import { sendWebhooks } from '../src/services/webhooks/index.ts';
import type { SendDependencies, SentWebhooks } from '../src/services/webhooks/index.ts';

/** The activities of webhooks, as workflows call them. */
export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** Makes the activities of webhooks. */
export function createWebhookActivities(deps: SendDependencies) {
  return {
    /** Sends what is due of a webhook. May run again: a delivery is claimed, and what an attempt left is sent once its claim has lapsed. */
    sendWebhooks({ webhookId }: { webhookId: string }): Promise<SentWebhooks> {
      return sendWebhooks(deps, webhookId);
    },
  };
}
