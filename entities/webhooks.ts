/** Webhooks of accounts: places that events are sent to, and what is sent to each. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  boolean,
  defaulted,
  integer,
  nullable,
  primary,
  text,
  textArray,
  time,
  uuid,
  writeTime,
} from './columns.ts';

/** A place that events of some types are sent to; a removed one keeps its row, without secrets and deliveries. */
export interface Webhook {
  id: string;
  accountId: string;
  url: string;
  types: string[];
  /** Why nothing is sent: the place has answered 410, or has taken nothing for days; null while events are sent. */
  disabled: 'GONE' | 'FAILING' | null;
  /** The first failure since something was taken; null where the last try was good. */
  failingSince: Date | null;
  /** When its workflow was last told of deliveries that are due; null once there are new ones. */
  wokenAt: Date | null;
  requestSha256: string;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  removedAt: Date | null;
}

/** Table `webhooks`. */
export const WebhookEntity = new EntitySchema<Webhook>({
  name: 'Webhook',
  tableName: 'webhooks',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    url: text,
    types: textArray,
    disabled: nullable(text),
    failingSince: nullable(time),
    wokenAt: nullable(time),
    requestSha256: text,
    createdBy: uuid,
    createdAt: writeTime,
    updatedAt: writeTime,
    removedAt: nullable(time),
  },
});

/** A secret that signs what is sent. */
export interface WebhookSecret {
  id: string;
  webhookId: string;
  sealedSecret: string;
  createdAt: Date;
  /** Null for the newest; the time until which an older one signs, too. */
  expiresAt: Date | null;
}

/** Table `webhook_secrets`. */
export const WebhookSecretEntity = new EntitySchema<WebhookSecret>({
  name: 'WebhookSecret',
  tableName: 'webhook_secrets',
  columns: {
    id: primary(uuid),
    webhookId: uuid,
    sealedSecret: text,
    createdAt: writeTime,
    expiresAt: nullable(time),
  },
});

/** An event for one webhook. */
export interface WebhookDelivery {
  id: string;
  webhookId: string;
  /** The public id of the event; that of a test is in no log. */
  eventId: string;
  type: string;
  /** The text that is sent, the same at each try. */
  body: string;
  state: 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'SKIPPED';
  /** Tries that were made since the delivery was last asked for. */
  attempt: number;
  /** When the next try is due; null where none is. */
  dueAt: Date | null;
  /** Until then a sender works on the delivery. */
  claimedUntil: Date | null;
  attemptedAt: Date | null;
  durationMs: number | null;
  status: number | null;
  fault: string | null;
  answer: string | null;
  createdAt: Date;
}

/** Table `webhook_deliveries`. */
export const WebhookDeliveryEntity = new EntitySchema<WebhookDelivery>({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  columns: {
    id: defaulted(primary(uuid), 'uuidv7()'),
    webhookId: uuid,
    eventId: uuid,
    type: text,
    body: text,
    state: text,
    attempt: defaulted(integer, '0'),
    dueAt: nullable(time),
    claimedUntil: nullable(time),
    attemptedAt: nullable(time),
    durationMs: nullable(integer),
    status: nullable(integer),
    fault: nullable(text),
    answer: nullable(text),
    createdAt: writeTime,
  },
});

/** How far the log of events has been fanned out to webhooks: one row. */
export interface WebhookFanOut {
  id: boolean;
  /** The number of the last event whose deliveries were made. */
  position: number;
}

/** Table `webhook_fan_out`. */
export const WebhookFanOutEntity = new EntitySchema<WebhookFanOut>({
  name: 'WebhookFanOut',
  tableName: 'webhook_fan_out',
  columns: { id: defaulted(primary(boolean), 'true'), position: bigint },
});
