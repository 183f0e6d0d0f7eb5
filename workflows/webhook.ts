import { condition, defineSignal, setHandler } from '@temporalio/workflow';

import type { WebhookInput } from '../src/contracts/webhook.ts';
import { WEBHOOK_MESSAGES } from '../src/contracts/webhook.ts';
import { continueInNextRun } from './lib/builds.ts';
import { isHistoryLong } from './lib/history-length.ts';
import { webhooks } from './lib/webhook-activities.ts';

/** Signal: there is something new to send. */
export const dueSignal = defineSignal(WEBHOOK_MESSAGES.due);

/**
 * Sends the deliveries of one webhook while there are any. The rows of the deliveries are the truth: what is due, and when, is asked of
 * them after each round, so a workflow that is lost is started again from the rows. It ends once nothing waits, or nothing is
 * sent to the webhook any more; a signal that comes with the end begins another round. One timer, until the next delivery is due. The
 * workflow continues as new when the history grows long. Nothing is patched.
 */
export async function webhook(input: WebhookInput): Promise<void> {
  const { webhookId, maxHistoryEvents } = input;
  let words = 0;
  setHandler(dueSignal, () => {
    words += 1;
  });
  for (;;) {
    const heard = words;
    const { nextMs } = await webhooks.sendWebhooks({ webhookId });
    // Whatever is new is asked for at once.
    if (words === heard) {
      if (nextMs === null) return;
      if (nextMs > 0) await condition(() => words > heard, nextMs);
    }
    if (isHistoryLong(maxHistoryEvents)) await continueInNextRun<typeof webhook>(input);
  }
}
