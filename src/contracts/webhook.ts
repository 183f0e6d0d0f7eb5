/** Start of the workflow of a webhook, and the message that there is something to send. */

/** The webhook whose deliveries are sent. */
export interface WebhookInput {
  readonly webhookId: string;
  /** A longer history continues as new. */
  readonly maxHistoryEvents: number;
}

/** Messages of the workflow of a webhook. */
export const WEBHOOK_MESSAGES = { due: 'due' } as const;
