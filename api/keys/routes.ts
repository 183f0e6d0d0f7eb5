/** API keys: who holds one may end it. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { revokedKeyAnswer } from './fields.ts';

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
export const keyEndpoints: readonly Endpoint[] = [revokeThisKey];
