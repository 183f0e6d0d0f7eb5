/** Webhooks: what is told of them, and when what was not taken is sent again. */

/** An account has at most this many webhooks. */
export const MOST_WEBHOOKS = 20;

/** So many secrets sign at once: the newest, and those before it that have not ended. */
export const MOST_SECRETS = 5;

/** States of deliveries. */
export const DELIVERY_STATES = ['PENDING', 'SUCCEEDED', 'FAILED', 'SKIPPED'] as const;

/** State of a delivery. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why a webhook gets nothing: its place answered 410, or took nothing for five days. */
export const DISABLED_REASONS = ['GONE', 'FAILING'] as const;

/** Reason for which a webhook is disabled. */
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The type of what a test sends. */
export const TEST_EVENT = 'webhook.test';

/** Nothing but failures for so long disables a webhook. */
export const FAILING_HOURS = 5 * 24;

/** Nothing but failures for so long is told to the owners. */
export const TOLD_HOURS = 24;

/** The status by which a place says that it takes nothing any more. */
export const GONE_STATUS = 410;

const [MINUTE, HOUR] = [60, 3600];
/** Seconds from a try that was in vain to the next one; the first try is at once, the tenth is the last. */
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];

/** Seconds until the next try after so many in vain; null after the last. */
export function pauseAfter(attempts: number): number | null {
  return PAUSES[attempts - 1] ?? null;
}

/** POST /webhooks and PUT of one of them. */
export interface WebhookRequest {
  readonly url: string;
  readonly types: string[];
}

/** POST /webhooks/{webhookId}/rotate-secret. */
export interface RotateWebhookSecretRequest {
  readonly overlapSeconds: number;
}

/** Query of the deliveries of a webhook. */
export interface DeliveryListQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly state?: DeliveryState;
  readonly type?: string;
  readonly since?: string;
  readonly until?: string;
}
