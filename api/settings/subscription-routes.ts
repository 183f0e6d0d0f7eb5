/** Subscribing to the plan pro, and the hosted page on which a subscription is kept. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { pageAnswer, portalBody, subscribeBody } from './subscription-schemas.ts';

const subscribe = defineEndpoint({
  method: 'POST',
  path: '/settings/billing/subscribe',
  operationId: 'subscribe',
  tag: TAGS.settings,
  summary: 'Subscribe to the plan pro',
  description:
    'Opens a hosted checkout of the plan pro. The plan begins, and its monthly credits are granted, once the first invoice is paid. Refused while a subscription goes on.',
  access: 'owner',
  recent: true,
  limit: 'write',
  // The address of a hosted page lets anybody use the page, so no address is stored: a repeat opens a page anew, and nothing
  // moves before a page is paid.
  idempotency: 'anew',
  headers: [idempotencyHeader],
  body: subscribeBody,
  answers: { 200: { description: 'The checkout.', schema: pageAnswer } },
  errors: ['PAYMENTS_NOT_CONFIGURED', 'SERVICE_UNAVAILABLE'],
  async handle({ subscriptions }, { actor, body, idempotencyKey }) {
    return json(200, await subscriptions.subscribe(actor, body, idempotencyKey));
  },
});

const openPortal = defineEndpoint({
  method: 'POST',
  path: '/settings/billing/portal',
  operationId: 'openBillingPortal',
  tag: TAGS.settings,
  summary: 'Open the billing portal',
  description:
    'Opens a hosted page on which the owner keeps cards and invoices, and ends the subscription. The monthly credits of a period that was paid stay until its end. Whoever has the address of the page acts on it, so it is not stored, and a repeat opens another page.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'anew',
  headers: [idempotencyHeader],
  body: portalBody,
  answers: { 200: { description: 'The page.', schema: pageAnswer } },
  errors: ['PAYMENTS_NOT_CONFIGURED', 'SERVICE_UNAVAILABLE'],
  async handle({ subscriptions }, { actor, body }) {
    return json(200, await subscriptions.portal(actor, body));
  },
});

/** Endpoints of subscriptions. */
export const subscriptionEndpoints: readonly Endpoint[] = [subscribe, openPortal];
