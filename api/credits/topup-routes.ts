/** Top-ups: what can be bought, buying it, and how far each purchase is. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json, whole } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import {
  tierListAnswer,
  topupAnswer,
  topupBody,
  topupListAnswer,
  topupListQuery,
  topupPath,
  topupStarted,
} from './topup-schemas.ts';

const listTiers = defineEndpoint({
  method: 'GET',
  path: '/credits/tiers',
  operationId: 'listCreditTiers',
  tag: TAGS.credits,
  summary: 'List credit tiers',
  description: 'What can be bought, with the credits on top.',
  access: 'credits:read',
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'The tiers.', schema: tierListAnswer } },
  errors: [],
  async handle({ topups }) {
    return whole(topups.tiers());
  },
});

const startTopup = defineEndpoint({
  method: 'POST',
  path: '/credits/topup',
  operationId: 'startTopup',
  tag: TAGS.credits,
  summary: 'Buy credits',
  description:
    'Opens a hosted checkout for a tier. The credits are posted once the payment has arrived, and pay a debt first. A repeat with the same key answers the same checkout.',
  access: 'credits:read',
  live: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: topupBody,
  answers: { 200: { description: 'The checkout.', schema: topupStarted } },
  errors: ['UNKNOWN_TIER', 'IDEMPOTENCY_KEY_REUSED', 'PAYMENTS_NOT_CONFIGURED', 'SERVICE_UNAVAILABLE'],
  async handle({ topups }, { actor, body, fingerprint, idempotencyKey }) {
    return json(200, await topups.start(actor, { body, fingerprint, idempotencyKey }));
  },
});

const listTopups = defineEndpoint({
  method: 'GET',
  path: '/credits/topups',
  operationId: 'listTopups',
  tag: TAGS.credits,
  summary: 'List top-ups',
  description: 'Every purchase of credits, newest first.',
  access: 'credits:read',
  limit: 'read',
  idempotency: 'none',
  query: topupListQuery,
  answers: { 200: { description: 'A page of top-ups.', schema: topupListAnswer } },
  errors: [],
  async handle({ topups }, { actor, query }) {
    return json(200, await topups.list(actor, query));
  },
});

const getTopup = defineEndpoint({
  method: 'GET',
  path: '/credits/topups/:topupId',
  operationId: 'getTopup',
  tag: TAGS.credits,
  summary: 'Read a top-up',
  description: 'How far one purchase of credits is, with its invoice and receipt.',
  access: 'credits:read',
  limit: 'read',
  idempotency: 'none',
  params: topupPath,
  answers: { 200: { description: 'The top-up.', schema: topupAnswer } },
  errors: [],
  async handle({ topups }, { actor, params }) {
    return json(200, await topups.read(actor, params.topupId));
  },
});

/** Endpoints of top-ups. */
export const topupEndpoints: readonly Endpoint[] = [listTiers, startTopup, listTopups, getTopup];
