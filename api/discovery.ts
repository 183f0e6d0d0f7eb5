/**
 * The API document at its two addresses, without a key. The document is built once, at the first request for it, and all
 * answers share its bytes: as a value it would be made a text of its own for each of them.
 */
import Joi from 'joi';

import { API_BASE, endpoints } from './endpoints.ts';
import type { Endpoint } from './http/endpoint.ts';
import { defineEndpoint, json } from './http/endpoint.ts';
import { TAGS } from './http/tags.ts';
import { buildOpenApi } from './openapi.ts';

let built: Buffer | null = null;

function describe(path: string, operationId: string): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path,
    operationId,
    tag: TAGS.discovery,
    summary: 'Read the API document',
    description: 'The OpenAPI 3.1 document of the customer-facing operations.',
    access: 'none',
    limit: 'public',
    idempotency: 'none',
    answers: { 200: { description: 'The document.', schema: Joi.object().unknown() } },
    errors: [],
    async handle() {
      built ??= Buffer.from(JSON.stringify(buildOpenApi(endpoints)));
      return json(200, built, { 'Cache-Control': 'public, max-age=300' });
    },
  });
}

/** Both addresses of the document. */
export const discoveryEndpoints: readonly Endpoint[] = [
  describe(`${API_BASE}/openapi.json`, 'openapi'),
  describe('/.well-known/openapi.json', 'openapiAlias'),
];
