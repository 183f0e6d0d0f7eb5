/** Inspections of receptors: what docking would meet, before it costs. */
import { RECEPTOR_REFUSALS } from '../../src/tools/receptor-inspect/codes.ts';
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { answersOfInternalJob } from '../http/of-internal-job.ts';
import { TAGS } from '../http/tags.ts';
import { RUNNING_INSPECTION } from './example.ts';
import { inspectionAnswer, inspectionPath, inspectReceptorBody } from './schemas.ts';

const FAILURES = [...Object.values(RECEPTOR_REFUSALS).map(({ code }) => code), 'INSPECTION_FAILED'] as const;
const { answers, answerOf, keep, idOf } = answersOfInternalJob({
  noun: 'inspection',
  idField: 'inspectionId',
  place: '/api/v1/molecular/docking/receptors/inspections',
  result: 'The report.',
  schema: inspectionAnswer,
  running: RUNNING_INSPECTION,
});

const inspectReceptor = defineEndpoint({
  method: 'POST',
  path: '/molecular/docking/receptors/inspect',
  operationId: 'inspectReceptor',
  tag: TAGS.docking,
  summary: 'Inspect a receptor',
  description:
    'Tells all that the preparation of a receptor would meet: chains, components and boxes around ligands, waters, doubtful histidines, pockets, and everything that would be refused. Not charged. Answers 200 within 10 seconds, else 202 with the place of the answer; the same question is answered at once for 30 days, for a PDB id for one day.',
  access: 'jobs:read',
  limit: 'inspect',
  // The answer to a repeat tells how the same inspection stands by then.
  idempotency: {
    keep,
    restore: async ({ inspections }, { actor }, { body }) =>
      answerOf(await inspections.get(actor, idOf(body))),
  },
  headers: [idempotencyHeader],
  body: inspectReceptorBody,
  answers,
  errors: [
    'ACCOUNT_CLOSED',
    'INPUT_NOT_FOUND',
    'ARTIFACT_MISMATCH',
    'UPLOAD_INCOMPLETE',
    'SIZE_MISMATCH',
    'CHECKSUM_MISMATCH',
    'INSPECTION_LIMIT',
    ...FAILURES,
  ],
  async handle({ inspections }, { actor, body }) {
    return answerOf(await inspections.inspect(actor, body));
  },
});

const getInspection = defineEndpoint({
  method: 'GET',
  path: '/molecular/docking/receptors/inspections/:inspectionId',
  operationId: 'getReceptorInspection',
  tag: TAGS.docking,
  summary: 'Read an inspection',
  description: 'The report of an inspection once it is done; 202 while it runs, its failure when it failed.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: inspectionPath,
  answers,
  errors: [...FAILURES],
  async handle({ inspections }, { actor, params }) {
    return answerOf(await inspections.get(actor, params.inspectionId));
  },
});

/** Endpoints of receptors. */
export const receptorEndpoints: readonly Endpoint[] = [inspectReceptor, getInspection];
