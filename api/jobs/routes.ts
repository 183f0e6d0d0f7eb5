/** Jobs: submit, list, status, tasks, recoveries, outputs, logs, cancel, resume. */
import { CATALOGUE } from '../../src/tools/catalogue.ts';
import { conditionalStatus } from '../http/conditional.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { LARGE_BODY_BYTES, defineEndpoint, json } from '../http/endpoint.ts';
import { conditionalHeaders, idempotencyHeader, rangeHeader } from '../http/documented-headers.ts';
import { mergeIdempotencyKeys } from '../http/idempotency-key.ts';
import { answerRange } from '../http/range.ts';
import { TAGS } from '../http/tags.ts';
import { jobBillAnswer } from './bill-schemas.ts';
import { recoveryListAnswer, recoveryListQuery } from './recovery-schemas.ts';
import {
  outputListAnswer,
  outputListQuery,
  taskListAnswer,
  taskListQuery,
  taskPath,
} from './result-schemas.ts';
import {
  cancelJobAnswer,
  cancelJobBody,
  jobListAnswer,
  jobListQuery,
  jobPath,
  jobRequestAnswer,
  jobStatusAnswer,
  jobSummaryAnswer,
  jobSummaryQuery,
  resumeJobAnswer,
  resumeJobBody,
} from './schemas.ts';
import { submitJobAnswer, submitJobBody } from './submit-schemas.ts';

const submitJob = defineEndpoint({
  method: 'POST',
  path: '/jobs/submit',
  operationId: 'submitJob',
  tag: TAGS.jobs,
  summary: 'Submit a job',
  description:
    'Holds the credits that the job can cost at most, and starts it. With an idempotency key a repeat gets the first answer with idempotentReplay true, whatever quoteId it has; a refusal is not remembered. Fields for other job types or simulators are accepted and not used; the status has a warning PARAMETER_UNUSED for each.',
  access: 'jobs:write',
  live: true,
  limit: 'submit',
  bodyLimitBytes: LARGE_BODY_BYTES,
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: submitJobBody,
  answers: { 200: { description: 'The job was accepted.', schema: submitJobAnswer } },
  errors: [
    'IDEMPOTENCY_KEY_MISMATCH',
    'IDEMPOTENCY_KEY_REUSED',
    'PIPELINE_DISABLED',
    'JOB_TYPE_UNAVAILABLE',
    'UNSUPPORTED_SIMULATOR',
    'CAPACITY_LIMIT_EXCEEDED',
    'SCENE_FILE_REQUIRED',
    'INPUT_NOT_FOUND',
    'INPUT_MISSING',
    'INPUT_CONFLICT',
    'TASK_COUNT_MISMATCH',
    ...CATALOGUE.refusedAtSubmit,
    'ARTIFACT_MISMATCH',
    'UPLOAD_INCOMPLETE',
    'SIZE_MISMATCH',
    'CHECKSUM_MISMATCH',
    'QUOTE_INVALID',
    'QUOTE_MISMATCH',
    'QUOTE_EXPIRED',
    'INSUFFICIENT_CREDITS',
    'MAINTENANCE',
    'NO_PAYMENT_METHOD',
    'ACCOUNT_CLOSED',
    'NO_PAYMENT_METHOD',
    'COST_LIMIT_EXCEEDED',
  ],
  async handle({ jobs }, { actor, body, fingerprint, idempotencyKey: header }) {
    const idempotencyKey = mergeIdempotencyKeys(
      header,
      body.idempotencyKey,
      body.dockingRequest?.idempotencyKey,
    );
    return json(200, await jobs.submit(actor, { body, fingerprint, idempotencyKey }));
  },
});

const listJobs = defineEndpoint({
  method: 'GET',
  path: '/jobs',
  operationId: 'listJobs',
  tag: TAGS.jobs,
  summary: 'List jobs',
  description: 'Jobs of the account, newest first; with several states those in any of them.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  query: jobListQuery,
  answers: { 200: { description: 'A page of jobs.', schema: jobListAnswer } },
  errors: [],
  async handle({ jobs }, { actor, query }) {
    return json(200, await jobs.list(actor, query));
  },
});

const getJobSummary = defineEndpoint({
  method: 'GET',
  path: '/jobs/summary',
  operationId: 'getJobSummary',
  tag: TAGS.jobs,
  summary: 'Count jobs by state',
  description:
    'How many jobs of the account are in each state. With finishedAfter, of the jobs that have ended only those that ended after that time.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  query: jobSummaryQuery,
  answers: { 200: { description: 'Jobs by state.', schema: jobSummaryAnswer } },
  errors: [],
  async handle({ jobs }, { actor, query }) {
    return json(200, await jobs.summary(actor, query));
  },
});

const getJobStatus = defineEndpoint({
  method: 'GET',
  path: '/jobs/:jobId/status',
  operationId: 'getJobStatus',
  tag: TAGS.jobs,
  summary: 'Read how a job stands',
  description:
    'With If-None-Match the answer is 304 while nothing has changed; with Prefer: wait=25 as well, it is held back until something has.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: jobPath,
  headers: conditionalHeaders,
  answers: {
    200: {
      description: 'How the job stands.',
      schema: jobStatusAnswer,
      headers: { ETag: 'Version of the status.' },
    },
    304: { description: 'Nothing has changed.' },
  },
  errors: [],
  async handle({ jobs }, { actor, params, headers }) {
    return conditionalStatus(headers, async (wait) => jobs.status(actor, params.jobId, wait));
  },
});

const getJobRequest = defineEndpoint({
  method: 'GET',
  path: '/jobs/:jobId/request',
  operationId: 'getJobRequest',
  tag: TAGS.jobs,
  summary: 'Read the request of a job',
  description: 'What was submitted, so that it can be read, copied and submitted again.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: jobPath,
  answers: { 200: { description: 'The request.', schema: jobRequestAnswer } },
  errors: [],
  async handle({ jobs }, { actor, params }) {
    return json(200, await jobs.request(actor, params.jobId));
  },
});

const getJobBill = defineEndpoint({
  method: 'GET',
  path: '/jobs/:jobId/bill',
  operationId: 'getJobBill',
  tag: TAGS.jobs,
  summary: 'Read the bill of a job',
  description:
    'What each execution of the job costs, line by line, with exchange rate, rounding and the transfers of the ledger; while it runs, what is due so far.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: jobPath,
  answers: { 200: { description: 'The bill.', schema: jobBillAnswer } },
  errors: [],
  async handle({ jobs }, { actor, params }) {
    return json(200, await jobs.bill(actor, params.jobId));
  },
});

const listTasks = defineEndpoint({
  method: 'GET',
  path: '/jobs/:jobId/tasks',
  operationId: 'listTasks',
  tag: TAGS.jobs,
  summary: 'List the tasks of a job',
  description: 'Tasks by index, with the figures of those that are done, also while the job runs.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: jobPath,
  query: taskListQuery,
  answers: { 200: { description: 'A page of tasks.', schema: taskListAnswer } },
  errors: [],
  async handle({ jobs }, { actor, params, query }) {
    return json(200, await jobs.tasks(actor, params.jobId, query));
  },
});

const listOutputs = defineEndpoint({
  method: 'GET',
  path: '/jobs/:jobId/outputs',
  operationId: 'listOutputs',
  tag: TAGS.jobs,
  summary: 'List the outputs of a job',
  description:
    'Verified outputs with download addresses that are minted for this answer, also while the job runs.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: jobPath,
  query: outputListQuery,
  answers: { 200: { description: 'A page of outputs.', schema: outputListAnswer } },
  errors: [],
  async handle({ jobs }, { actor, params, query }) {
    return json(200, await jobs.outputs(actor, params.jobId, query));
  },
});

const listRecoveries = defineEndpoint({
  method: 'GET',
  path: '/jobs/:jobId/recoveries',
  operationId: 'listRecoveries',
  tag: TAGS.jobs,
  summary: 'List what was lost, paused and resumed',
  description:
    'Every instance that the job has lost, with its cause, the work that was lost and the time until work went on, and every pause and resume; the oldest entry first. None of it is charged.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: jobPath,
  query: recoveryListQuery,
  answers: { 200: { description: 'A page of the recovery ledger.', schema: recoveryListAnswer } },
  errors: [],
  async handle({ jobs }, { actor, params, query }) {
    return json(200, await jobs.recoveries(actor, params.jobId, query));
  },
});

/** The log of a task as the document shows it. */
const LOG = 'Preparing imatinib.\nDocking imatinib, seed 42.\nBest of 9 modes: -11.4 kcal/mol.\n';

const readTaskLog = defineEndpoint({
  method: 'GET',
  path: '/jobs/:jobId/tasks/:index/log',
  operationId: 'readTaskLog',
  tag: TAGS.jobs,
  summary: 'Read the log of a task',
  description:
    'What the tool printed, live while it runs. Ask for a range to follow it: bytes=N- gives what came after the first N bytes.',
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: taskPath,
  headers: [rangeHeader],
  answers: {
    200: { description: 'The whole log.', mediaType: 'text/plain', example: LOG },
    206: {
      description: 'The range of the log.',
      mediaType: 'text/plain',
      example: LOG.slice(0, 20),
      headers: { 'Content-Range': 'Which bytes these are.' },
    },
  },
  errors: ['RANGE_NOT_SATISFIABLE'],
  async handle({ jobs }, { actor, params, headers }) {
    return answerRange(headers.range, async (range) =>
      jobs.taskLog(actor, params.jobId, params.index, range),
    );
  },
});

const cancelJob = defineEndpoint({
  method: 'POST',
  path: '/jobs/:jobId/cancel',
  operationId: 'cancelJob',
  tag: TAGS.jobs,
  summary: 'Cancel a job',
  description:
    'Stops the job; complete outputs are kept and charged, the rest of the hold is released. A job that has ended stays as it is.',
  access: 'jobs:write',
  // A cancel settles the job, which charges what is complete.
  live: true,
  limit: 'write',
  bodyOptional: true,
  idempotency: 'stored',
  params: jobPath,
  headers: [idempotencyHeader],
  body: cancelJobBody,
  answers: {
    200: { description: 'The job had ended already.', schema: cancelJobAnswer },
    202: { description: 'The job will be cancelled.', schema: cancelJobAnswer },
  },
  errors: [],
  async handle({ jobs }, { actor, params, body, resumedSince }) {
    const { changed, response } = await jobs.cancel(actor, params.jobId, body);
    // An earlier attempt of this very request may have cancelled the job and died before it could say so.
    const isOurs = resumedSince !== null && (response.cancelRequestedAt ?? '') >= resumedSince;
    return json(changed || isOurs ? 202 : 200, response);
  },
});

const resumeJob = defineEndpoint({
  method: 'POST',
  path: '/jobs/:jobId/resume',
  operationId: 'resumeJob',
  tag: TAGS.jobs,
  summary: 'Resume a job',
  description:
    'Starts the next execution of a job that is PAUSED, FAILED, CANCELLED or PARTIALLY_SUCCEEDED: what is missing is priced and held as of now, and done. What is verified stays and is not charged again. With limitCents no more than that is held, and the job pauses when no further task is covered.',
  access: 'jobs:write',
  live: true,
  limit: 'write',
  bodyOptional: true,
  idempotency: 'stored',
  params: jobPath,
  headers: [idempotencyHeader],
  body: resumeJobBody,
  answers: { 202: { description: 'The job goes on.', schema: resumeJobAnswer } },
  errors: [
    'JOB_NOT_RESUMABLE',
    'UNSUPPORTED_SIMULATOR',
    'CAPACITY_LIMIT_EXCEEDED',
    'INSUFFICIENT_CREDITS',
    'ACCOUNT_CLOSED',
    'COST_LIMIT_EXCEEDED',
  ],
  async handle({ jobs }, { actor, params, body, resumedSince }) {
    return json(202, await jobs.resume(actor, params.jobId, { ...body, resumedSince }));
  },
});

/** Endpoints of jobs. */
export const jobEndpoints: readonly Endpoint[] = [
  submitJob,
  listJobs,
  getJobSummary,
  getJobStatus,
  getJobRequest,
  getJobBill,
  listTasks,
  listRecoveries,
  listOutputs,
  readTaskLog,
  cancelJob,
  resumeJob,
];
