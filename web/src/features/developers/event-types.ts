/** The types of events that a webhook can have, as the document has them. */
import { fields } from 'document:fields/WebhookRequest';

import type { WebhookRequest } from './webhook.ts';

export type EventType = WebhookRequest['types'][number];

const names = fields['types']?.items?.enum ?? [];

/** Whether a name is a type of events. */
export function isEventType(name: string): name is EventType {
  return names.includes(name);
}

/** All types. */
export const eventTypes: readonly EventType[] = names.filter(isEventType);
