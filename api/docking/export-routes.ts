/** Exports of the results of batches and runs. */
import type { Actor } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import { isRecord } from '../../src/domain/is-record.ts';
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Answer, Endpoint, KeptAnswer } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import type { Services } from '../services.ts';
import { TAGS } from '../http/tags.ts';
import { createExportBody, exportAnswer, exportPath } from './export-schemas.ts';
import { batchPath, runPath } from './result-schemas.ts';
import type { DockingExportResponse } from '../../src/domain/answers.ts';

const ASKED =
  'The results that are there now, in one file that is made after the answer; `complete` says whether more may come. The same request over the same results is the same export, and one that has failed is made anew. A repeat with the same idempotency key is the same export, also when there are more results by then.';

const CREATED = {
  202: {
    description: 'The export was accepted, or was there.',
    schema: exportAnswer,
    headers: { Location: 'Path of the export.' },
  },
} as const;

/** An export goes on after its answer, so a repeat is answered with how the export stands by then; only its id is kept. */
const KEPT = {
  keep: (body: unknown) => ({ exportId: exportIdOf(body) }),
  restore: async ({ dockingExports }: Services, { actor }: { readonly actor: Actor }, { body }: KeptAnswer) =>
    accepted(await dockingExports.get(actor, keptId(body))),
};

/** Common parts of both requests for an export. */
const ASKING = {
  method: 'POST',
  tag: TAGS.docking,
  description: ASKED,
  access: 'jobs:read',
  limit: 'write',
  headers: [idempotencyHeader],
  body: createExportBody,
  answers: CREATED,
  errors: ['NOTHING_TO_EXPORT'],
} as const;

const createBatchExport = defineEndpoint({
  ...ASKING,
  path: '/molecular/docking/batches/:batchId/export',
  operationId: 'exportDockingBatch',
  summary: 'Export the results of a batch',
  idempotency: KEPT,
  params: batchPath,
  async handle({ dockingExports }, { actor, params, body }) {
    return accepted(await dockingExports.create(actor, { kind: 'batch', id: params.batchId }, body));
  },
});

const createRunExport = defineEndpoint({
  ...ASKING,
  path: '/molecular/docking/runs/:runId/export',
  operationId: 'exportDockingRun',
  summary: 'Export the results of a run',
  idempotency: KEPT,
  params: runPath,
  async handle({ dockingExports }, { actor, params, body }) {
    return accepted(await dockingExports.create(actor, { kind: 'run', id: params.runId }, body));
  },
});

const getExport = defineEndpoint({
  method: 'GET',
  path: '/molecular/docking/exports/:exportId',
  operationId: 'getDockingExport',
  tag: TAGS.docking,
  summary: 'Read an export',
  description: 'How far the export is, and its file once it is made.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: exportPath,
  answers: { 200: { description: 'The export.', schema: exportAnswer } },
  errors: [],
  async handle({ dockingExports }, { actor, params }) {
    return json(200, await dockingExports.get(actor, params.exportId));
  },
});

function accepted(answer: DockingExportResponse): Answer<DockingExportResponse> {
  return json(202, answer, { Location: `/api/v1/molecular/docking/exports/${answer.export.id}` });
}

function exportIdOf(body: unknown): string {
  const made = isRecord(body) ? body['export'] : undefined;
  return textOf(isRecord(made) ? made['id'] : undefined);
}

function keptId(body: unknown): string {
  return textOf(isRecord(body) ? body['exportId'] : undefined);
}

function textOf(id: unknown): string {
  if (typeof id === 'string') return id;
  throw new AppError('INTERNAL_ERROR', 'The export cannot be found again. Ask for it without the key.');
}

/** Endpoints of exports. */
export const dockingExportEndpoints: readonly Endpoint[] = [createBatchExport, createRunExport, getExport];
