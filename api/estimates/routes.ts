/** Estimates: what a job would cost. */
import { CATALOGUE } from '../../src/tools/catalogue.ts';
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { LARGE_BODY_BYTES, defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { estimateJobAnswer, estimateJobBody } from './schemas.ts';

const estimateJob = defineEndpoint({
  method: 'POST',
  path: '/jobs/estimate',
  operationId: 'estimateJob',
  tag: TAGS.jobs,
  summary: 'Estimate a job',
  description:
    'Prices a job without reserving anything, and answers a quote: submit with its quoteId keeps this price and exchange rate for 15 minutes. A repeat with the same idempotency key is priced anew. Inputs need not exist: without ligands taskCount is priced, or one task. Fields for other job types or simulators are accepted and not used; there is a warning PARAMETER_UNUSED for each.',
  access: 'any',
  limit: 'estimate',
  bodyLimitBytes: LARGE_BODY_BYTES,
  idempotency: 'anew',
  headers: [idempotencyHeader],
  body: estimateJobBody,
  answers: { 200: { description: 'The price.', schema: estimateJobAnswer } },
  errors: [
    'JOB_TYPE_UNAVAILABLE',
    'UNSUPPORTED_SIMULATOR',
    'CAPACITY_LIMIT_EXCEEDED',
    'INPUT_CONFLICT',
    'TASK_COUNT_MISMATCH',
    ...CATALOGUE.refusedAtEstimate,
  ],
  async handle({ jobs }, { actor, body }) {
    return json(200, await jobs.estimate(actor, body));
  },
});

/** Endpoints of estimates. */
export const estimateEndpoints: readonly Endpoint[] = [estimateJob];
