/** Experiments and their runs. */
import { isRecord } from '../../src/domain/is-record.ts';
import { CATALOGUE } from '../../src/tools/catalogue.ts';
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Answer, Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import type { CancelledWork } from '../../src/services/docking/runs.ts';
import { cancelJobBody } from '../jobs/schemas.ts';
import { experimentAnswer, experimentListAnswer, runAnswer, runListAnswer } from './record-answers.ts';
import {
  createExperimentBody,
  createRunBody,
  experimentPath,
  recordListQuery,
  runPath,
} from './record-schemas.ts';

const BASE = '/api/v1/molecular/docking';

/** Refusals of a request that starts a job, besides those that follow from its schema. */
export const REFUSED_WORK = [
  'IDEMPOTENCY_KEY_REUSED',
  'UNSUPPORTED_SIMULATOR',
  'CAPACITY_LIMIT_EXCEEDED',
  'INPUT_NOT_FOUND',
  'INPUT_MISSING',
  'INPUT_CONFLICT',
  ...CATALOGUE.refusedAtSubmit,
  'ARTIFACT_MISMATCH',
  'UPLOAD_INCOMPLETE',
  'SIZE_MISMATCH',
  'CHECKSUM_MISMATCH',
  'INSUFFICIENT_CREDITS',
  'MAINTENANCE',
  'NO_PAYMENT_METHOD',
  'ACCOUNT_CLOSED',
  'COST_LIMIT_EXCEEDED',
] as const;

/** The answer with the place of what was made. */
function made<Body>(status: number, body: Body, kind: 'experiment' | 'run'): Answer<Body> {
  const record = isRecord(body) ? body[kind] : undefined;
  const id = isRecord(record) ? record['id'] : undefined;
  if (typeof id !== 'string') return json(status, body);
  return json(status, body, { Location: `${BASE}/${kind}s/${id}` });
}

/** The answer of a started run. */
export function startedRun<Body>(body: Body): Answer<Body> {
  return made(202, body, 'run');
}

/** Whether this request cancelled the work: also where an earlier attempt of it did and died before it could say so. */
export function isOurs(
  { changed, cancelRequestedAt }: Omit<CancelledWork<unknown>, 'response'>,
  resumedSince: string | null,
): boolean {
  return changed || (resumedSince !== null && (cancelRequestedAt ?? '') >= resumedSince);
}

const createExperiment = defineEndpoint({
  method: 'POST',
  path: '/molecular/docking/experiments',
  operationId: 'createDockingExperiment',
  tag: TAGS.docking,
  summary: 'Create an experiment',
  description:
    'Stores a protocol with its ligand; nothing runs and nothing is charged. A token of a resolved ligand is checked here and never again. The box of a ligand or of residues is filled in once a run has found it.',
  access: 'jobs:write',
  limit: 'write',
  idempotency: {
    keep: (body) => body,
    restore: async (_services, _request, { status, body }) => made(status, body, 'experiment'),
  },
  headers: [idempotencyHeader],
  body: createExperimentBody,
  answers: {
    201: {
      description: 'The experiment is stored.',
      schema: experimentAnswer,
      headers: { Location: 'Path of the experiment.' },
    },
  },
  errors: ['NOT_FOUND', 'INPUT_MISSING', 'INPUT_CONFLICT', ...CATALOGUE.refusedAtSubmit, 'ARTIFACT_MISMATCH'],
  async handle({ docking }, { actor, body, fingerprint, idempotencyKey }) {
    const command = { body, fingerprint, idempotencyKey };
    return made(201, await docking.createExperiment(actor, command), 'experiment');
  },
});

const listExperiments = defineEndpoint({
  method: 'GET',
  path: '/molecular/docking/experiments',
  operationId: 'listDockingExperiments',
  tag: TAGS.docking,
  summary: 'List experiments',
  description: 'Experiments of the account, newest first.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  query: recordListQuery,
  answers: { 200: { description: 'A page of experiments.', schema: experimentListAnswer } },
  errors: [],
  async handle({ docking }, { actor, query }) {
    return json(200, await docking.listExperiments(actor, query));
  },
});

const getExperiment = defineEndpoint({
  method: 'GET',
  path: '/molecular/docking/experiments/:experimentId',
  operationId: 'getDockingExperiment',
  tag: TAGS.docking,
  summary: 'Read an experiment',
  description: 'The experiment, with its box once that is known.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: experimentPath,
  answers: { 200: { description: 'The experiment.', schema: experimentAnswer } },
  errors: [],
  async handle({ docking }, { actor, params }) {
    return json(200, await docking.experiment(actor, params.experimentId));
  },
});

const createRun = defineEndpoint({
  method: 'POST',
  path: '/molecular/docking/experiments/:experimentId/runs',
  operationId: 'createDockingRun',
  tag: TAGS.docking,
  summary: 'Run an experiment',
  description:
    'Holds what the run can cost at most, and starts its job. With an idempotency key a repeat answers the same run; a refusal is not remembered and leaves nothing.',
  access: 'jobs:write',
  live: true,
  limit: 'submit',
  bodyOptional: true,
  idempotency: 'service',
  headers: [idempotencyHeader],
  params: experimentPath,
  body: createRunBody,
  answers: {
    202: {
      description: 'The run was accepted.',
      schema: runAnswer,
      headers: { Location: 'Path of the run.' },
    },
  },
  errors: [...REFUSED_WORK],
  async handle({ docking }, { actor, params, body, fingerprint, idempotencyKey }) {
    const command = { body, fingerprint, idempotencyKey };
    return startedRun(await docking.createRun(actor, params.experimentId, command));
  },
});

const listRuns = defineEndpoint({
  method: 'GET',
  path: '/molecular/docking/experiments/:experimentId/runs',
  operationId: 'listDockingRuns',
  tag: TAGS.docking,
  summary: 'List the runs of an experiment',
  description: 'Runs of the experiment, newest first.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: experimentPath,
  query: recordListQuery,
  answers: { 200: { description: 'A page of runs.', schema: runListAnswer } },
  errors: [],
  async handle({ docking }, { actor, params, query }) {
    return json(200, await docking.listRuns(actor, params.experimentId, query));
  },
});

const getRun = defineEndpoint({
  method: 'GET',
  path: '/molecular/docking/runs/:runId',
  operationId: 'getDockingRun',
  tag: TAGS.docking,
  summary: 'Read a run',
  description: 'How the run stands, with its box and its best affinity so far.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: runPath,
  answers: { 200: { description: 'The run.', schema: runAnswer } },
  errors: [],
  async handle({ docking }, { actor, params }) {
    return json(200, await docking.run(actor, params.runId));
  },
});

const cancelRun = defineEndpoint({
  method: 'POST',
  path: '/molecular/docking/runs/:runId/cancel',
  operationId: 'cancelDockingRun',
  tag: TAGS.docking,
  summary: 'Cancel a run',
  description:
    'Stops the job of the run; what is verified is kept and charged, the rest of the hold is released. A run that has ended stays as it is.',
  access: 'jobs:write',
  live: true,
  limit: 'write',
  bodyOptional: true,
  idempotency: 'stored',
  params: runPath,
  headers: [idempotencyHeader],
  body: cancelJobBody,
  answers: {
    200: { description: 'The run had ended already.', schema: runAnswer },
    202: { description: 'The run will be cancelled.', schema: runAnswer },
  },
  errors: [],
  async handle({ docking }, { actor, params, body, resumedSince }) {
    const cancelled = await docking.cancelRun(actor, params.runId, body);
    return json(isOurs(cancelled, resumedSince) ? 202 : 200, cancelled.response);
  },
});

/** Endpoints of experiments and runs. */
export const experimentEndpoints: readonly Endpoint[] = [
  createExperiment,
  listExperiments,
  getExperiment,
  createRun,
  listRuns,
  getRun,
  cancelRun,
];
