/** Webhooks of an account, and what was sent to them. */
import Joi from 'joi';

import { EVENT_TYPE_NAMES } from '../../src/domain/events.ts';
import { DELIVERY_STATES, DISABLED_REASONS, MOST_WEBHOOKS } from '../../src/domain/webhooks.ts';
import type {
  DeliveryListQuery,
  RotateWebhookSecretRequest,
  WebhookRequest,
} from '../../src/domain/webhooks.ts';
import { outboundFault } from '../http/codes.ts';
import {
  cursor,
  nextCursor,
  optionalTime,
  pageLimit,
  time,
  timeInQuery,
  uuid,
  wholeList,
} from '../http/fields.ts';

const MOST_TYPES = 100;
const WEEK_SECONDS = 7 * 24 * 3600;
const DAY_SECONDS = 24 * 3600;

const id = uuid.required().description('Id of the webhook.');
const deliveryId = uuid.required().description('Id of the delivery.');
const type = Joi.string().valid(...EVENT_TYPE_NAMES);
const address = Joi.string().required().example('https://example.org/hooks/dockyard');

/** POST /webhooks and PUT of one of them. */
export const webhookBody = Joi.object<WebhookRequest, true>({
  url: address
    .pattern(/^[\x21-\x7e]{1,2048}$/, { name: 'printable ASCII without spaces' })
    .description(
      'Address that events are sent to by POST, 1 to 2048 characters of printable ASCII: https, a host of the public internet, port 443, 80 or one from 1024 on, without user, password and fragment.',
    ),
  types: Joi.array()
    .items(type)
    .min(1)
    .max(MOST_TYPES)
    .required()
    .example(['job.succeeded', 'job.failed'])
    .description(
      `Types of the events that are sent, 1 to ${MOST_TYPES}; a type that is there twice counts once.`,
    ),
}).description('A webhook.');

/** The path of one webhook. */
export const webhookPath = Joi.object<{ readonly webhookId: string }, true>({ webhookId: id });

/** The path of one delivery. */
export const deliveryPath = Joi.object<{ readonly webhookId: string; readonly deliveryId: string }, true>({
  webhookId: id,
  deliveryId,
});

/** POST /webhooks/{webhookId}/rotate-secret. */
export const rotateSecretBody = Joi.object<RotateWebhookSecretRequest, true>({
  overlapSeconds: Joi.number()
    .integer()
    .min(0)
    .max(WEEK_SECONDS)
    .default(DAY_SECONDS)
    .description(
      'Seconds for which the old secret signs, too, 0 to 604800 (7 days); with 0 every other secret ends at once. Five secrets sign at once at most; of more the oldest ends at once.',
    ),
}).description('A rotation of the secret.');

/** Query of GET /webhooks/{webhookId}/deliveries. */
export const deliveryListQuery = Joi.object<DeliveryListQuery, true>({
  limit: pageLimit(200, 50),
  cursor,
  state: Joi.string()
    .valid(...DELIVERY_STATES)
    .description('Only deliveries in this state.'),
  type: type.description('Only deliveries of events of this type.'),
  since: timeInQuery('Only deliveries that were made at this time or later.'),
  until: timeInQuery('Only deliveries that were made before this time.'),
});

/** Query of POST /webhooks/{webhookId}/redeliver-failed. */
export const redeliverQuery = Joi.object<{ readonly since?: string }, true>({
  since: timeInQuery(
    'Only deliveries that were made at this time or later; without it those of all 30 days.',
  ),
});

const webhookFields = {
  id,
  url: address.description('Address that events are sent to.'),
  types: Joi.array()
    .items(Joi.string())
    .required()
    .example(['job.failed', 'job.succeeded'])
    .description('Types of the events that are sent, in their order as texts.'),
  enabled: Joi.boolean().required().description('Whether events are sent.').example(true),
  disabledReason: Joi.string()
    .valid(...DISABLED_REASONS)
    .allow(null)
    .required()
    .example(null)
    .description(
      'GONE: the server answered 410; FAILING: it took nothing for five days; null while events are sent.',
    ),
  failingSince: optionalTime
    .required()
    .example(null)
    .description('The first failure since the server took something; null where the last try was good.'),
  createdBy: uuid.required().description('Id of the person who created the webhook.'),
  createdAt: time.required().description('When the webhook was created.'),
  updatedAt: time.required().description('When the webhook was last changed.'),
};

const secret = Joi.string()
  .required()
  .example('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
  .description(
    'The secret that signs, as libraries of Standard Webhooks take it; shown in this answer only.',
  );

/** A webhook in answers. */
export const webhook = Joi.object(webhookFields).description('A webhook, without its secret.');

/** The answer of POST /webhooks. */
export const createdWebhook = Joi.object({
  ...webhookFields,
  secret,
  sameAs: uuid
    .allow(null)
    .required()
    .example(null)
    .description(
      'Id of another webhook of the account with the same address and types, which gets the same events; null without one.',
    ),
}).description('A webhook with its secret.');

/** The answer of POST /webhooks/{webhookId}/rotate-secret. */
export const rotatedSecretAnswer = Joi.object({ secret }).description('The new secret.');

/** The answer of GET /webhooks. */
export const webhookListAnswer = Joi.object({
  webhooks: Joi.array()
    .items(webhook)
    .required()
    .description(`All webhooks, oldest first, at most ${MOST_WEBHOOKS}.`),
})
  .append(wholeList)
  .description('The webhooks of the account.');

const deliveryFields = {
  id: deliveryId,
  webhookId: id,
  eventId: uuid.required().description('Id of the event, sent as webhook-id at every try.'),
  type: Joi.string().required().description('Type of the event.').example('job.succeeded'),
  state: Joi.string()
    .valid(...DELIVERY_STATES)
    .required()
    .description(
      'PENDING until it is taken or given up; SKIPPED where the webhook was disabled, so that nothing was sent.',
    )
    .example('SUCCEEDED'),
  attempt: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('Number of tries that were made since it was last asked for, at most 10.')
    .example(1),
  status: Joi.number()
    .integer()
    .allow(null)
    .required()
    .description('Status number (HTTP) of the last answer; null without one.')
    .example(200),
  code: outboundFault,
  durationMs: Joi.number()
    .integer()
    .min(0)
    .allow(null)
    .required()
    .description('How long the last try took, in milliseconds; null before the first.')
    .example(84),
  attemptedAt: optionalTime.required().description('When the last try ended; null before the first.'),
  nextAttemptAt: optionalTime
    .required()
    .example(null)
    .description('When the next try is due; null where none is.'),
  createdAt: time.required().description('When the delivery was made.'),
};

/** A delivery in lists. */
export const delivery = Joi.object(deliveryFields).description('An event for one webhook.');

/** The answer of GET /webhooks/{webhookId}/deliveries. */
export const deliveryListAnswer = Joi.object({
  deliveries: Joi.array().items(delivery).required().description('Deliveries, newest first.'),
  nextCursor,
}).description('A page of deliveries.');

/** The answer of GET /webhooks/{webhookId}/deliveries/{deliveryId}. */
export const deliveryAnswer = Joi.object({
  ...deliveryFields,
  request: Joi.object({
    url: address.description('Address that the next try goes to.'),
    body: Joi.string()
      .required()
      .description('Text that is sent, the same at every try.')
      .example('{"id":"…"}'),
  })
    .required()
    .description('What is sent.'),
  answer: Joi.string()
    .allow(null, '')
    .required()
    .example('ok')
    .description(
      'The first 4096 bytes of the last answer as text; null without one, and of a server that is not of the public internet.',
    ),
}).description('A delivery with what is sent and what was answered.');

/** The answer of POST /webhooks/{webhookId}/redeliver-failed. */
export const redeliveredAnswer = Joi.object({
  redelivered: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('Number of deliveries that are sent again, at most 10000.')
    .example(12),
  more: Joi.boolean().required().description('Whether there may be more: repeat the request.').example(false),
}).description('How many deliveries are sent again.');

/** The schemas that have a name in the document; a schema that others contain comes before them. */
export const WEBHOOK_SCHEMAS: readonly (readonly [string, Joi.Schema])[] = [
  ['WebhookRequest', webhookBody],
  ['Webhook', webhook],
  ['CreatedWebhook', createdWebhook],
  ['WebhookListResponse', webhookListAnswer],
  ['RotateWebhookSecretRequest', rotateSecretBody],
  ['RotatedWebhookSecret', rotatedSecretAnswer],
  ['WebhookDelivery', delivery],
  ['WebhookDeliveryListResponse', deliveryListAnswer],
  ['WebhookDeliveryResponse', deliveryAnswer],
  ['RedeliveredWebhooks', redeliveredAnswer],
];
