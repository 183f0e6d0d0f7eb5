/** Receipts of jobs, and the public keys that prove them, which anybody may read. */
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json, whole } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { jobPath } from '../jobs/schemas.ts';
import { receiptKeysAnswer, receiptQuery, runPath, signedReceiptAnswer } from './schemas.ts';

const getReceipt = defineEndpoint({
  method: 'GET',
  path: '/jobs/:jobId/receipt',
  operationId: 'getJobReceipt',
  tag: TAGS.jobs,
  summary: 'Read the signed receipt of a job',
  description:
    'What a settled execution was: request, inputs and outputs by digests, seed, code, attempts, recoveries and price, signed once and for ever. dockyard receipt verify proves it without the service.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: jobPath,
  query: receiptQuery,
  answers: { 200: { description: 'The receipt.', schema: signedReceiptAnswer } },
  errors: ['RECEIPT_NOT_READY'],
  async handle({ receipts }, { actor, params, query }) {
    return json(200, await receipts.read(actor, params.jobId, query));
  },
});

const getRunReceipt = defineEndpoint({
  method: 'GET',
  path: '/molecular/docking/runs/:runId/receipt',
  operationId: 'getDockingRunReceipt',
  tag: TAGS.docking,
  summary: 'Read the signed receipt of a run',
  description: 'The receipt of the job of the run, as GET /jobs/{jobId}/receipt answers it.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: runPath,
  query: receiptQuery,
  answers: { 200: { description: 'The receipt.', schema: signedReceiptAnswer } },
  errors: ['RECEIPT_NOT_READY'],
  async handle({ receipts }, { actor, params, query }) {
    return json(200, await receipts.ofRun(actor, params.runId, query));
  },
});

const listKeys = defineEndpoint({
  method: 'GET',
  path: '/receipt-keys',
  operationId: 'listReceiptKeys',
  tag: TAGS.discovery,
  summary: 'Read the public keys of receipts',
  description:
    'The keys that sign receipts or have signed some, as JSON Web Keys. The same list is at /.well-known/dockyard-receipt-keys.json of the service.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  answers: { 200: { description: 'The keys.', schema: receiptKeysAnswer } },
  errors: [],
  async handle({ receipts }) {
    return { ...whole(await receipts.keys()), headers: { 'Cache-Control': 'public, max-age=300' } };
  },
});

/** Endpoints of receipts under the base of the API. */
export const receiptEndpoints: readonly Endpoint[] = [getReceipt, getRunReceipt, listKeys];

/** The keys at the address that is well known. */
export const receiptKeyPages: readonly Endpoint[] = [
  { ...listKeys, path: '/.well-known/dockyard-receipt-keys.json', operationId: 'listReceiptKeysAlias' },
];
