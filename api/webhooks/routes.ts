/** Webhooks: events are sent to servers of the account, which owners name. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json, whole } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import {
  createdWebhook,
  delivery,
  deliveryAnswer,
  deliveryListAnswer,
  deliveryListQuery,
  deliveryPath,
  redeliveredAnswer,
  redeliverQuery,
  rotatedSecretAnswer,
  rotateSecretBody,
  webhook,
  webhookBody,
  webhookListAnswer,
  webhookPath,
} from './schemas.ts';

const PATH = '/webhooks';

const listWebhooks = defineEndpoint({
  method: 'GET',
  path: PATH,
  operationId: 'listWebhooks',
  tag: TAGS.webhooks,
  summary: 'List webhooks',
  description: 'The webhooks of the account, without their secrets.',
  access: 'owner',
  recent: true,
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'The webhooks.', schema: webhookListAnswer } },
  errors: [],
  async handle({ webhooks }, { actor }) {
    return whole(await webhooks.list(actor));
  },
});

const createWebhook = defineEndpoint({
  method: 'POST',
  path: PATH,
  operationId: 'createWebhook',
  tag: TAGS.webhooks,
  summary: 'Create a webhook',
  description:
    'From now on events of these types are sent to the address by POST, signed as Standard Webhooks says. The secret is shown in this answer only, and again to a repeat with the same Idempotency-Key. The name of the host must lead to the public internet. A second webhook with the same address and types is possible, and is told by sameAs.',
  access: 'owner',
  recent: true,
  limit: 'reach',
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: webhookBody,
  answers: {
    201: {
      description: 'The webhook with its secret.',
      schema: createdWebhook,
      headers: { Location: 'Path of the webhook.' },
    },
  },
  errors: ['DESTINATION_REFUSED', 'WEBHOOK_LIMIT_REACHED', 'IDEMPOTENCY_KEY_REUSED', 'ACCOUNT_CLOSED'],
  async handle({ webhooks }, { actor, body, fingerprint, idempotencyKey, address }) {
    const made = await webhooks.create(actor, { body, fingerprint, idempotencyKey, address });
    return json(201, made, { Location: `/api/v1${PATH}/${made.id}` });
  },
});

const getWebhook = defineEndpoint({
  method: 'GET',
  path: `${PATH}/:webhookId`,
  operationId: 'getWebhook',
  tag: TAGS.webhooks,
  summary: 'Read a webhook',
  description: 'One webhook of the account, without its secret.',
  access: 'owner',
  recent: true,
  limit: 'read',
  idempotency: 'none',
  params: webhookPath,
  answers: { 200: { description: 'The webhook.', schema: webhook } },
  errors: [],
  async handle({ webhooks }, { actor, params }) {
    return json(200, await webhooks.read(actor, params.webhookId));
  },
});

const changeWebhook = defineEndpoint({
  method: 'PUT',
  path: `${PATH}/:webhookId`,
  operationId: 'changeWebhook',
  tag: TAGS.webhooks,
  summary: 'Change a webhook',
  description:
    'Makes address and types what the request says. The secret stays, and what waits is sent to the new address.',
  access: 'owner',
  recent: true,
  limit: 'reach',
  idempotency: 'service',
  headers: [idempotencyHeader],
  params: webhookPath,
  body: webhookBody,
  answers: { 200: { description: 'The webhook as it is now.', schema: webhook } },
  errors: ['DESTINATION_REFUSED', 'ACCOUNT_CLOSED'],
  async handle({ webhooks }, { actor, params, body, address }) {
    return json(200, await webhooks.change(actor, params.webhookId, { body, address }));
  },
});

const removeWebhook = defineEndpoint({
  method: 'DELETE',
  path: `${PATH}/:webhookId`,
  operationId: 'removeWebhook',
  tag: TAGS.webhooks,
  summary: 'Delete a webhook',
  description:
    'Deletes the webhook with its secrets and deliveries; nothing more is sent. A repeat answers the same.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'none',
  params: webhookPath,
  answers: { 204: { description: 'The webhook is deleted.' } },
  errors: ['ACCOUNT_CLOSED'],
  async handle({ webhooks }, { actor, params, address }) {
    await webhooks.remove(actor, params.webhookId, address);
    return { status: 204 };
  },
});

const testWebhook = defineEndpoint({
  method: 'POST',
  path: `${PATH}/:webhookId/test`,
  operationId: 'testWebhook',
  tag: TAGS.webhooks,
  summary: 'Test a webhook',
  description:
    'Has an event of the type webhook.test sent to the webhook, whatever its types. The answer is the delivery, which is read until its state is SUCCEEDED.',
  access: 'owner',
  recent: true,
  limit: 'reach',
  idempotency: 'stored',
  headers: [idempotencyHeader],
  params: webhookPath,
  answers: { 202: { description: 'The delivery.', schema: delivery } },
  errors: ['WEBHOOK_DISABLED', 'IDEMPOTENCY_KEY_REUSED'],
  async handle({ webhooks }, { actor, params }) {
    return json(202, await webhooks.test(actor, params.webhookId));
  },
});

const rotateSecret = defineEndpoint({
  method: 'POST',
  path: `${PATH}/:webhookId/rotate-secret`,
  operationId: 'rotateWebhookSecret',
  tag: TAGS.webhooks,
  summary: 'Rotate the secret of a webhook',
  description:
    'Makes another secret, shown in this answer only. Both sign for overlapSeconds, so a receiver that knows either verifies what it gets. Rotations that are under way at once make one secret, which all of their answers tell; a later one makes another.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  params: webhookPath,
  body: rotateSecretBody,
  bodyOptional: true,
  answers: { 200: { description: 'The new secret, shown this once.', schema: rotatedSecretAnswer } },
  errors: ['ACCOUNT_CLOSED'],
  async handle({ webhooks }, { actor, params, body, fingerprint, idempotencyKey, receivedAt, address }) {
    const command = { body, fingerprint, idempotencyKey, receivedAt, address };
    return json(200, await webhooks.rotateSecret(actor, params.webhookId, command));
  },
});

const enableWebhook = defineEndpoint({
  method: 'POST',
  path: `${PATH}/:webhookId/enable`,
  operationId: 'enableWebhook',
  tag: TAGS.webhooks,
  summary: 'Enable a webhook',
  description:
    'Has events sent again to a webhook that was disabled. What was skipped meanwhile is sent again by redeliver-failed.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  params: webhookPath,
  answers: { 200: { description: 'The webhook as it is now.', schema: webhook } },
  errors: ['ACCOUNT_CLOSED'],
  async handle({ webhooks }, { actor, params, address }) {
    return json(200, await webhooks.enable(actor, params.webhookId, address));
  },
});

const listDeliveries = defineEndpoint({
  method: 'GET',
  path: `${PATH}/:webhookId/deliveries`,
  operationId: 'listWebhookDeliveries',
  tag: TAGS.webhooks,
  summary: 'List deliveries',
  description: 'What was sent to the webhook in the last 30 days or waits to be, newest first.',
  access: 'owner',
  recent: true,
  limit: 'read',
  idempotency: 'none',
  params: webhookPath,
  query: deliveryListQuery,
  answers: { 200: { description: 'A page of deliveries.', schema: deliveryListAnswer } },
  errors: [],
  async handle({ webhooks }, { actor, params, query }) {
    return json(200, await webhooks.deliveries(actor, params.webhookId, query));
  },
});

const getDelivery = defineEndpoint({
  method: 'GET',
  path: `${PATH}/:webhookId/deliveries/:deliveryId`,
  operationId: 'getWebhookDelivery',
  tag: TAGS.webhooks,
  summary: 'Read a delivery',
  description: 'One delivery, with what is sent and the beginning of the last answer.',
  access: 'owner',
  recent: true,
  limit: 'read',
  idempotency: 'none',
  params: deliveryPath,
  answers: { 200: { description: 'The delivery.', schema: deliveryAnswer } },
  errors: [],
  async handle({ webhooks }, { actor, params }) {
    return json(200, await webhooks.readDelivery(actor, params.webhookId, params.deliveryId));
  },
});

const redeliver = defineEndpoint({
  method: 'POST',
  path: `${PATH}/:webhookId/deliveries/:deliveryId/redeliver`,
  operationId: 'redeliverWebhookDelivery',
  tag: TAGS.webhooks,
  summary: 'Send a delivery again',
  description:
    'Has a delivery sent again at once, with the same webhook-id, whatever came of it, and tried as often as a new one.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'stored',
  headers: [idempotencyHeader],
  params: deliveryPath,
  answers: { 202: { description: 'The delivery as it is now.', schema: delivery } },
  errors: ['WEBHOOK_DISABLED', 'IDEMPOTENCY_KEY_REUSED'],
  async handle({ webhooks }, { actor, params }) {
    return json(202, await webhooks.redeliver(actor, params.webhookId, params.deliveryId));
  },
});

const redeliverFailed = defineEndpoint({
  method: 'POST',
  path: `${PATH}/:webhookId/redeliver-failed`,
  operationId: 'redeliverFailedWebhookDeliveries',
  tag: TAGS.webhooks,
  summary: 'Send again what failed',
  description: 'Has sent again, at once, whatever was given up or skipped since a time, the oldest first.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'stored',
  headers: [idempotencyHeader],
  params: webhookPath,
  query: redeliverQuery,
  answers: { 202: { description: 'How many deliveries are sent again.', schema: redeliveredAnswer } },
  errors: ['WEBHOOK_DISABLED', 'IDEMPOTENCY_KEY_REUSED'],
  async handle({ webhooks }, { actor, params, query }) {
    return json(202, await webhooks.redeliverFailed(actor, params.webhookId, query.since ?? null));
  },
});

/** Endpoints of webhooks. */
export const webhookEndpoints: readonly Endpoint[] = [
  listWebhooks,
  createWebhook,
  getWebhook,
  changeWebhook,
  testWebhook,
  rotateSecret,
  enableWebhook,
  listDeliveries,
  getDelivery,
  redeliver,
  redeliverFailed,
  removeWebhook,
];
