/** Webhooks and their deliveries, as the API has them, with the words of their states. */
import type { AccountEvent, CallInput, components } from 'dockyard-client/browser';

import { m } from '#messages';

import { api } from '../../api/api.ts';
import { answers } from '../../api/queries.ts';
import type { Tone } from '../../ui/pieces.tsx';

export type Webhook = components['schemas']['Webhook'];
/** A webhook with its secret, which is answered once. */
export type CreatedWebhook = components['schemas']['CreatedWebhook'];
export type WebhookRequest = components['schemas']['WebhookRequest'];
export type Delivery = components['schemas']['WebhookDelivery'];
export type EventRecord = AccountEvent;
export type DeliveryState = NonNullable<
  NonNullable<CallInput<'get', '/webhooks/{webhookId}/deliveries'>['query']>['state']
>;

/** How a state is shown: mark, tone and word. */
export type Shown = readonly [mark: string, tone: Tone, word: () => string];

/** How deliveries are told; the compiler misses none. */
const DELIVERY_STATES: Readonly<Record<DeliveryState, Shown>> = {
  PENDING: ['○', 'quiet', m.delivery_pending],
  SUCCEEDED: ['✓', 'ok', m.delivery_taken],
  FAILED: ['✕', 'bad', m.delivery_failed],
  SKIPPED: ['–', 'quiet', m.delivery_skipped],
};

function isDeliveryState(name: string): name is DeliveryState {
  return Object.hasOwn(DELIVERY_STATES, name);
}

/** All states that deliveries can have. */
export const deliveryStates: readonly DeliveryState[] = Object.keys(DELIVERY_STATES).filter(isDeliveryState);

/** How a delivery is told: one that was refused and is tried again waits, too, and is told apart. */
export function deliveryShown({ state, attempt }: Pick<Delivery, 'state' | 'attempt'>): Shown {
  if (!isDeliveryState(state)) return ['○', 'quiet', () => state];
  return state === 'PENDING' && attempt > 0 ? ['◐', 'warn', m.delivery_again] : DELIVERY_STATES[state];
}

/** The word of a state. */
export function deliveryWord(state: DeliveryState): string {
  return DELIVERY_STATES[state][2]();
}

/** How a webhook is told. */
export function webhookShown({ enabled, failingSince }: Webhook): Shown {
  if (!enabled) return ['‖', 'bad', m.webhook_disabled];
  return failingSince === null ? ['✓', 'ok', m.webhook_enabled] : ['◐', 'warn', m.webhook_failing];
}

/** What came back at the last try: the status, or the code of why there was none. */
export function answeredBy({ status, code }: Pick<Delivery, 'status' | 'code'>): string {
  return status === null ? (code ?? '') : String(status);
}

/** The name under which the deliveries of a webhook are kept, with all filters of them. */
export const DELIVERIES = '/webhooks/{webhookId}/deliveries';

/** Reads again everything of webhooks. */
export function readWebhooksAgain(): void {
  for (const path of ['/webhooks', '/webhooks/{webhookId}', DELIVERIES, `${DELIVERIES}/{deliveryId}`])
    void answers.invalidateQueries({ queryKey: [path] });
}

/** Has a test sent to a webhook. */
export async function sendTest(webhookId: string): Promise<Delivery> {
  const path = { webhookId };
  const delivery = await api.post('/webhooks/{webhookId}/test', {
    path,
    idempotencyKey: crypto.randomUUID(),
  });
  readWebhooksAgain();
  return delivery;
}
