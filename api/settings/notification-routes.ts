/** Routes of the mails about money that the owners of an account want. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { notificationsAnswer, notificationsBody } from './notification-schemas.ts';

const PATH = '/settings/notifications';

const getNotifications = defineEndpoint({
  method: 'GET',
  path: PATH,
  operationId: 'getNotificationSettings',
  tag: TAGS.settings,
  summary: 'Read which mails are sent',
  description:
    'The mails about money that the owners of the account get. All are on until one is switched off.',
  access: 'owner',
  recent: true,
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'The mails.', schema: notificationsAnswer } },
  errors: [],
  async handle({ notifications }, { actor }) {
    return json(200, await notifications.read(actor));
  },
});

const setNotifications = defineEndpoint({
  method: 'PUT',
  path: PATH,
  operationId: 'setNotificationSettings',
  tag: TAGS.settings,
  summary: 'Change which mails are sent',
  description: 'Switches the mails that the request names on or off. A repeat changes nothing.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: notificationsBody,
  answers: { 200: { description: 'The mails as they are now.', schema: notificationsAnswer } },
  errors: [],
  async handle({ notifications }, { actor, body, address }) {
    return json(200, await notifications.change(actor, { body, address }));
  },
});

/** Endpoints of the mails about money. */
export const notificationEndpoints: readonly Endpoint[] = [getNotifications, setNotifications];
