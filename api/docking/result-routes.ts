/** Results of batches and runs, live while they run; failures, poses and interactions. */
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json, whole } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import {
  batchPath,
  failureListAnswer,
  failureListQuery,
  interactionListAnswer,
  poseAnswer,
  poseListAnswer,
  posePath,
  resultAnswer,
  resultListAnswer,
  resultListQuery,
  resultPath,
  runPath,
} from './result-schemas.ts';

const LIVE =
  'Also while it runs: a ligand is on a page as soon as its outputs are verified. Ranks count all docked ligands, whatever is filtered.';
const READ = {
  tag: TAGS.docking,
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  errors: [],
} as const;

const listBatchResults = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/docking/batches/:batchId/results',
  operationId: 'listDockingBatchResults',
  summary: 'List the results of a batch',
  description: `${LIVE} Of the runs that have a ligand, the newest one counts.`,
  params: batchPath,
  query: resultListQuery,
  answers: { 200: { description: 'A page of results.', schema: resultListAnswer } },
  async handle({ dockingResults }, { actor, params, query }) {
    return json(200, await dockingResults.list(actor, { kind: 'batch', id: params.batchId }, query));
  },
});

const listRunResults = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/docking/runs/:runId/results',
  operationId: 'listDockingRunResults',
  summary: 'List the results of a run',
  description: LIVE,
  params: runPath,
  query: resultListQuery,
  answers: { 200: { description: 'A page of results.', schema: resultListAnswer } },
  async handle({ dockingResults }, { actor, params, query }) {
    return json(200, await dockingResults.list(actor, { kind: 'run', id: params.runId }, query));
  },
});

const listBatchFailures = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/docking/batches/:batchId/failures',
  operationId: 'listDockingBatchFailures',
  summary: 'List the failed ligands of a batch',
  description:
    'Ligands whose newest run has failed, each with its reason, and how many there are of each reason.',
  params: batchPath,
  query: failureListQuery,
  answers: { 200: { description: 'A page of failures.', schema: failureListAnswer } },
  async handle({ dockingResults }, { actor, params, query }) {
    return json(200, await dockingResults.failures(actor, params.batchId, query));
  },
});

const getResult = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/docking/results/:resultId',
  operationId: 'getDockingResult',
  summary: 'Read a result',
  description: 'One ligand of a run, from the moment at which the run is planned.',
  params: resultPath,
  answers: { 200: { description: 'The result.', schema: resultAnswer } },
  async handle({ dockingResults }, { actor, params }) {
    return json(200, await dockingResults.get(actor, params.resultId));
  },
});

const listPoses = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/docking/results/:resultId/poses',
  operationId: 'listDockingPoses',
  summary: 'List the poses of a result',
  description: 'All modes, the best first.',
  params: resultPath,
  answers: { 200: { description: 'The poses.', schema: poseListAnswer } },
  async handle({ dockingResults }, { actor, params }) {
    return whole(await dockingResults.poses(actor, params.resultId));
  },
});

const getPose = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/docking/poses/:poseId',
  operationId: 'getDockingPose',
  summary: 'Read a pose',
  description: 'One mode of a result.',
  params: posePath,
  answers: { 200: { description: 'The pose.', schema: poseAnswer } },
  async handle({ dockingResults }, { actor, params }) {
    return json(200, await dockingResults.pose(actor, params.poseId));
  },
});

const listInteractions = defineEndpoint({
  ...READ,
  method: 'GET',
  path: '/molecular/docking/poses/:poseId/interactions',
  operationId: 'listDockingInteractions',
  summary: 'List the interactions of a pose',
  description: 'Contacts of the pose with the receptor, each with residue, atoms, distance and angle.',
  params: posePath,
  answers: { 200: { description: 'The interactions.', schema: interactionListAnswer } },
  async handle({ dockingResults }, { actor, params }) {
    return whole(await dockingResults.interactions(actor, params.poseId));
  },
});

/** Endpoints of results. */
export const dockingResultEndpoints: readonly Endpoint[] = [
  listBatchResults,
  listRunResults,
  listBatchFailures,
  getResult,
  listPoses,
  getPose,
  listInteractions,
];
