/** Inspections of receptors: what docking would meet, before it costs. */
import { AppError } from '../../src/domain/errors.ts';
import { isRecord } from '../../src/domain/is-record.ts';
import { RECEPTOR_REFUSALS } from '../../src/tools/receptor-inspect/codes.ts';
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Answer, Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { RUNNING_INSPECTION } from './example.ts';
import { inspectionAnswer, inspectionPath, inspectReceptorBody } from './schemas.ts';
import type { InspectionResponse } from '../../src/domain/answers.ts';

const FAILURES = [...Object.values(RECEPTOR_REFUSALS).map(({ code }) => code), 'INSPECTION_FAILED'] as const;
const PENDING_SECONDS = 2;
const ANSWERS = {
  200: { description: 'The report.', schema: inspectionAnswer },
  202: {
    description: 'The inspection still runs.',
    schema: inspectionAnswer,
    example: RUNNING_INSPECTION,
    headers: { Location: 'Path of the inspection.', 'Retry-After': 'Seconds to wait before asking there.' },
  },
} as const;

function answerOf(response: InspectionResponse): Answer<InspectionResponse> {
  if (response.status === 'SUCCEEDED') return json(200, response);
  return json(202, response, {
    Location: `/api/v1/molecular/docking/receptors/inspections/${response.inspectionId}`,
    'Retry-After': String(PENDING_SECONDS),
  });
}

function inspectionIdOf(body: unknown): string {
  const id = isRecord(body) ? body['inspectionId'] : undefined;
  if (typeof id === 'string') return id;
  throw new AppError(
    'INTERNAL_ERROR',
    'The inspection cannot be repeated. Start a new one with another key.',
  );
}

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
    keep: (body) => ({ inspectionId: inspectionIdOf(body) }),
    restore: async ({ inspections }, { actor }, { body }) =>
      answerOf(await inspections.get(actor, inspectionIdOf(body))),
  },
  headers: [idempotencyHeader],
  body: inspectReceptorBody,
  answers: ANSWERS,
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
  answers: ANSWERS,
  errors: [...FAILURES],
  async handle({ inspections }, { actor, params }) {
    return answerOf(await inspections.get(actor, params.inspectionId));
  },
});

/** Endpoints of receptors. */
export const receptorEndpoints: readonly Endpoint[] = [inspectReceptor, getInspection];
