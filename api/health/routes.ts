/** Liveness and readiness at the root, for load balancers and supervisors; these endpoints need no key and have no rate limit. */
import Joi from 'joi';

import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';

const dependency = Joi.object({
  ok: Joi.boolean().required(),
  detail: Joi.string(),
}).required();

const report = Joi.object({
  ok: Joi.boolean().required(),
  dependencies: Joi.object({
    postgres: dependency,
    temporal: dependency,
    storage: dependency,
    gateway: dependency,
  }).required(),
  notes: Joi.array().items(Joi.string()).required(),
});

const healthz = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  operationId: 'healthz',
  tag: TAGS.operations,
  summary: 'Tell that the process lives',
  description: 'Answers as long as the process can answer at all.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  answers: {
    200: {
      description: 'The process lives.',
      schema: Joi.object({ ok: Joi.boolean().valid(true).required() }),
    },
  },
  errors: [],
  async handle() {
    return json(200, { ok: true });
  },
});

const readyz = defineEndpoint({
  method: 'GET',
  path: '/readyz',
  operationId: 'readyz',
  tag: TAGS.operations,
  summary: 'Tell whether requests can be served',
  description: 'Whether each dependency answers; asked once a second at most, for all who want to know.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  answers: {
    200: { description: 'All dependencies answer; notes say what an operator should know.', schema: report },
    503: { description: 'At least one dependency does not answer.', schema: report },
  },
  errors: [],
  async handle({ health }) {
    const found = await health.check();
    return json(found.ok ? 200 : 503, found);
  },
});

/** Endpoints of the root. */
export const healthEndpoints: readonly Endpoint[] = [healthz, readyz];
