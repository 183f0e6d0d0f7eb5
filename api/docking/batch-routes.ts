/** Batches: campaigns of many ligands against one receptor. */
import { AppError } from '../../src/domain/errors.ts';
import { isRecord } from '../../src/domain/is-record.ts';
import { CATALOGUE } from '../../src/tools/catalogue.ts';
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json, LARGE_BODY_BYTES } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { cancelJobBody } from '../jobs/schemas.ts';
import { REFUSED_WORK, startedRun } from './experiment-routes.ts';
import { batchAnswer, batchListAnswer, runAnswer } from './record-answers.ts';
import { batchListQuery, batchPath, createBatchBody, retryFailedBody } from './record-schemas.ts';

const createBatch = defineEndpoint({
  method: 'POST',
  path: '/molecular/docking/batches',
  operationId: 'createDockingBatch',
  tag: TAGS.docking,
  summary: 'Start a batch',
  description:
    'Holds what the batch can cost at most, and starts its first run. With an idempotency key a repeat answers the same batch; a refusal is not remembered, and holds and starts nothing.',
  access: 'jobs:write',
  live: true,
  limit: 'submit',
  bodyLimitBytes: LARGE_BODY_BYTES,
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: createBatchBody,
  answers: {
    202: {
      description: 'The batch was accepted.',
      schema: batchAnswer,
      headers: { Location: 'Path of the batch.' },
    },
  },
  errors: ['NOT_FOUND', ...REFUSED_WORK, ...CATALOGUE.refusedAtBatch],
  async handle({ docking }, { actor, body, fingerprint, idempotencyKey }) {
    const answer = await docking.createBatch(actor, { body, fingerprint, idempotencyKey });
    return json(202, answer, { Location: `/api/v1/molecular/docking/batches/${answer.batch.id}` });
  },
});

const listBatches = defineEndpoint({
  method: 'GET',
  path: '/molecular/docking/batches',
  operationId: 'listDockingBatches',
  tag: TAGS.docking,
  summary: 'List batches',
  description: 'Batches of the account, newest first.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  query: batchListQuery,
  answers: { 200: { description: 'A page of batches.', schema: batchListAnswer } },
  errors: [],
  async handle({ docking }, { actor, query }) {
    return json(200, await docking.listBatches(actor, query));
  },
});

const getBatch = defineEndpoint({
  method: 'GET',
  path: '/molecular/docking/batches/:batchId',
  operationId: 'getDockingBatch',
  tag: TAGS.docking,
  summary: 'Read a batch',
  description: 'How the batch stands: counts over all ligands, and the best affinity so far.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: batchPath,
  answers: { 200: { description: 'The batch.', schema: batchAnswer } },
  errors: [],
  async handle({ docking }, { actor, params }) {
    return json(200, await docking.batch(actor, params.batchId));
  },
});

const cancelBatch = defineEndpoint({
  method: 'POST',
  path: '/molecular/docking/batches/:batchId/cancel',
  operationId: 'cancelDockingBatch',
  tag: TAGS.docking,
  summary: 'Cancel a batch',
  description:
    'Stops the newest run of the batch; what is verified is kept and charged, the rest of the hold is released. A batch that has ended stays as it is.',
  access: 'jobs:write',
  live: true,
  limit: 'write',
  bodyOptional: true,
  idempotency: 'stored',
  params: batchPath,
  headers: [idempotencyHeader],
  body: cancelJobBody,
  answers: {
    200: { description: 'The batch had ended already.', schema: batchAnswer },
    202: { description: 'The batch will be cancelled.', schema: batchAnswer },
  },
  errors: [],
  async handle({ docking }, { actor, params, body }) {
    const { changed, response } = await docking.cancelBatch(actor, params.batchId, body);
    return json(changed ? 202 : 200, response);
  },
});

const retryFailed = defineEndpoint({
  method: 'POST',
  path: '/molecular/docking/batches/:batchId/retry-failed',
  operationId: 'retryFailedDocking',
  tag: TAGS.docking,
  summary: 'Dock failed ligands again',
  description:
    'Starts the next run of the batch over ligands that failed: by default those whose code blames the engine or the machine, else those of the codes that are sent. The newest run of a ligand is the one that counts. Two requests at once have one run.',
  access: 'jobs:write',
  live: true,
  limit: 'submit',
  bodyOptional: true,
  // The answer to a repeat tells how the same run stands by then.
  idempotency: {
    keep: (body) => ({ runId: runIdOf(body) }),
    restore: async ({ docking }, { actor }, { body }) => {
      const answer = await docking.run(actor, keptRunId(body));
      return startedRun({ ...answer, idempotentReplay: true });
    },
  },
  headers: [idempotencyHeader],
  params: batchPath,
  body: retryFailedBody,
  answers: {
    202: { description: 'The run was accepted.', schema: runAnswer, headers: { Location: 'Path of the run.' } },
  },
  errors: ['BATCH_RUNNING', 'NOTHING_TO_RETRY', ...REFUSED_WORK],
  async handle({ docking }, { actor, params, body, fingerprint, resumedSince }) {
    return startedRun(await docking.retryFailed(actor, params.batchId, { body, fingerprint, resumedSince }));
  },
});

function runIdOf(body: unknown): string {
  const run = isRecord(body) ? body['run'] : undefined;
  return textOf(isRecord(run) ? run['id'] : undefined);
}

function keptRunId(body: unknown): string {
  return textOf(isRecord(body) ? body['runId'] : undefined);
}

function textOf(id: unknown): string {
  if (typeof id === 'string') return id;
  throw new AppError('INTERNAL_ERROR', 'The run cannot be found again. List the batch.');
}

/** Endpoints of batches. */
export const batchEndpoints: readonly Endpoint[] = [
  createBatch,
  listBatches,
  getBatch,
  cancelBatch,
  retryFailed,
];
