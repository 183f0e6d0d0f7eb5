/** The cost limits of an account, which owners keep. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { billingAnswer, billingBody } from './billing-schemas.ts';

const PATH = '/settings/billing';

const getBilling = defineEndpoint({
  method: 'GET',
  path: PATH,
  operationId: 'getBillingSettings',
  tag: TAGS.settings,
  summary: 'Read the cost limits',
  description:
    'The plan of the account, the cost limits of the account and of its API keys, and what was spent of them in the UTC month.',
  access: 'owner',
  recent: true,
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'The limits.', schema: billingAnswer } },
  errors: [],
  async handle({ billing }, { actor }) {
    return json(200, await billing.read(actor));
  },
});

const setBilling = defineEndpoint({
  method: 'PUT',
  path: PATH,
  operationId: 'setBillingSettings',
  tag: TAGS.settings,
  summary: 'Change the cost limits',
  description:
    'Changes the limits that the request names; a submit that would pass one is refused with COST_LIMIT_EXCEEDED. A limit below what is charged and held already is taken, and counts for new jobs. A repeat changes nothing. With autoTopUp a tier is bought with the default card when credits run low, one at a time; a card that refuses pauses it, and the owners get a mail.',
  access: 'owner',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: billingBody,
  answers: { 200: { description: 'The limits as they are now.', schema: billingAnswer } },
  errors: ['NOT_FOUND', 'NO_PAYMENT_METHOD', 'UNKNOWN_TIER'],
  async handle({ billing }, { actor, body, address }) {
    return json(200, await billing.change(actor, { body, address }));
  },
});

/** Endpoints of the cost limits. */
export const billingEndpoints: readonly Endpoint[] = [getBilling, setBilling];
