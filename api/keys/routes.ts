/** API keys: people make, rotate and end them, and who holds one may end it. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import {
  createKeyBody,
  issuedKeyAnswer,
  keyListAnswer,
  keyListQuery,
  keyPath,
  revokedKeyAnswer,
  rotatedKeyAnswer,
  rotateKeyBody,
} from './schemas.ts';

/** Refusals of making a key. */
const ISSUING = [
  'KEY_ALREADY_ISSUED',
  'IDEMPOTENCY_KEY_REUSED',
  'KEY_LIMIT_REACHED',
  'ACCOUNT_CLOSED',
] as const;

const listKeys = defineEndpoint({
  method: 'GET',
  path: '/keys',
  operationId: 'listApiKeys',
  tag: TAGS.keys,
  summary: 'List API keys',
  description: 'The keys of the account for an owner, your own for a member; newest first, ended ones too.',
  access: 'session',
  recent: true,
  limit: 'read',
  idempotency: 'none',
  query: keyListQuery,
  answers: { 200: { description: 'A page of keys.', schema: keyListAnswer } },
  errors: [],
  async handle({ keys }, { actor, query }) {
    return json(200, await keys.list(actor, query));
  },
});

const createKey = defineEndpoint({
  method: 'POST',
  path: '/keys',
  operationId: 'createApiKey',
  tag: TAGS.keys,
  summary: 'Create an API key',
  description:
    'The key is shown in this answer only. A repeat with the same Idempotency-Key makes no other key and shows none: it answers 409 KEY_ALREADY_ISSUED and names the key. An account has at most 100 keys that can be used. Where owners have set memberKeysLimitCents, a member sends monthlyLimitCents within what is left of it, else the answer is COST_LIMIT_EXCEEDED.',
  access: 'session',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: createKeyBody,
  answers: { 201: { description: 'The key, shown this once.', schema: issuedKeyAnswer } },
  errors: [...ISSUING, 'COST_LIMIT_EXCEEDED'],
  async handle({ keys }, { actor, body, fingerprint, idempotencyKey, address }) {
    return json(201, await keys.issue(actor, { body, fingerprint, idempotencyKey, address }));
  },
});

const revokeKey = defineEndpoint({
  method: 'DELETE',
  path: '/keys/:keyId',
  operationId: 'revokeApiKey',
  tag: TAGS.keys,
  summary: 'Revoke an API key',
  description: 'Ends a key for ever; every process refuses it within seconds. A repeat answers the same.',
  access: 'session',
  recent: true,
  limit: 'write',
  idempotency: 'none',
  params: keyPath,
  answers: { 200: { description: 'The key has ended.', schema: revokedKeyAnswer } },
  errors: [],
  async handle({ keys }, { actor, params, address }) {
    return json(200, await keys.revoke(actor, params.keyId, address));
  },
});

const rotateKey = defineEndpoint({
  method: 'POST',
  path: '/keys/:keyId/rotate',
  operationId: 'rotateApiKey',
  tag: TAGS.keys,
  summary: 'Rotate an API key',
  description:
    'Makes a key with the same name, environment, scopes, networks and monthly limit, shown in this answer only. The old key works for overlapSeconds more and then ends by itself. The monthly limit is one limit for both keys, and what the old key used of it stays used.',
  access: 'session',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  params: keyPath,
  body: rotateKeyBody,
  answers: { 201: { description: 'The new key, shown this once.', schema: rotatedKeyAnswer } },
  errors: [...ISSUING, 'KEY_ENDED'],
  async handle({ keys }, { actor, params, body, fingerprint, idempotencyKey, address }) {
    const command = { body, fingerprint, idempotencyKey, address };
    return json(201, await keys.rotate(actor, params.keyId, command));
  },
});

const revokeThisKey = defineEndpoint({
  method: 'POST',
  path: '/keys/revoke-this',
  operationId: 'revokeThisApiKey',
  tag: TAGS.keys,
  summary: 'Revoke the key of this call',
  description:
    'Ends the key that the request is made with, at once and for ever: whoever finds a leaked key can make it useless. A repeat answers 401, because the key has ended.',
  access: 'key',
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  answers: { 200: { description: 'The key has ended.', schema: revokedKeyAnswer } },
  errors: [],
  async handle({ keys }, { actor, address }) {
    return json(200, await keys.revokeThis(actor, address));
  },
});

/** Endpoints of API keys. */
export const keyEndpoints: readonly Endpoint[] = [listKeys, createKey, revokeThisKey, revokeKey, rotateKey];
