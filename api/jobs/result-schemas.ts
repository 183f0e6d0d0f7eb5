/** Tasks, outputs and logs of a job: paths, queries and answers. */
import Joi from 'joi';

import { CUSTOMER_TOOLS, taskSummaries } from '../../src/tools/catalogue.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { failureCode, jobState } from '../http/codes.ts';
import {
  characters,
  cursor,
  nextCursor,
  optionalTime,
  pageLimit,
  sha256,
  time,
  timeInQuery,
  uuid,
} from '../http/fields.ts';
import type { OutputQuery } from '../../src/services/jobs/outputs.ts';
import type { TaskListQuery } from '../../src/services/jobs/tasks.ts';
import { TASK_STATES } from '../../src/domain/job-state.ts';

const count = (text: string): Joi.NumberSchema => Joi.number().integer().min(0).required().description(text);

const taskIds = (text: string): Joi.ArraySchema<string[]> =>
  Joi.array().items(Joi.string()).max(100).required().description(text);

/** GET /jobs/{id}/tasks. */
export const taskListQuery = Joi.object<TaskListQuery, true>({
  limit: pageLimit(1000, 100),
  cursor,
  state: Joi.array()
    .items(Joi.string().valid(...TASK_STATES))
    .single()
    .min(1)
    .max(TASK_STATES.length)
    .description('Only tasks in this state; repeat it for several.'),
  code: characters(1, 64).description('Only tasks that have failed with this code.'),
});

const taskFailure = Joi.object({
  code: failureCode.description('Machine-readable reason.'),
  message: Joi.string().allow('').required().description('Reason for people.'),
})
  .allow(null)
  .description('Why the task failed; null when it did not.');

/** The summaries that tools promise, or any other: a tool of another version, or one for tests, may say anything. */
export function summaryOf(tools: readonly Tool[]): Joi.AlternativesSchema {
  const any = Joi.object().unknown().allow(null).description('The figures of another tool; null before.');
  return Joi.alternatives().try(...taskSummaries(tools).map(({ schema }) => schema), any);
}

const task = Joi.object({
  index: count('Task index, counted from 0.'),
  id: Joi.string().required().description('Ligand id, frame number or task id.'),
  state: Joi.string()
    .valid(...TASK_STATES)
    .required()
    .description('State of the task.'),
  attempts: count('Number of attempts made.'),
  startedAt: optionalTime.required().description('When the present attempt started; null before.'),
  finishedAt: optionalTime.required().description('When the task ended; null before.'),
  progressPercent: Joi.number()
    .min(0)
    .max(100)
    .required()
    .description('How much of the task is done, in percent.'),
  failure: taskFailure.required(),
})
  .append({
    summary: summaryOf(CUSTOMER_TOOLS)
      .required()
      .description('A few figures of the tool; null before. Which members there are depends on the tool.'),
  })
  .description('A task of a job.');

/** The answer of GET /jobs/{id}/tasks. */
export const taskListAnswer = Joi.object({
  tasks: Joi.array().items(task).required().description('Tasks by index.'),
  nextCursor,
}).description('A page of tasks.');

/** GET /jobs/{id}/outputs. */
export const outputListQuery = Joi.object<OutputQuery, true>({
  limit: pageLimit(1000, 100),
  cursor,
  kind: characters(1, 64).description('Only outputs of this kind.'),
  since: timeInQuery(
    'Only outputs committed after this time, in the order of their commits: to follow a job, send the latest createdAt that you have.',
  ),
});

/** One committed output. */
export const outputItem = Joi.object({
  artifactId: uuid.required().description('Id of the output.'),
  name: Joi.string().required().description('Path of the output within the job.'),
  kind: Joi.string().required().description('What the output is.'),
  frame: Joi.number()
    .integer()
    .allow(null)
    .required()
    .description('Frame number of the output; null when it belongs to none.'),
  taskIndex: Joi.number()
    .integer()
    .min(0)
    .allow(null)
    .required()
    .description('Task index, counted from 0; null when it belongs to the job.'),
  ligandId: Joi.string()
    .allow(null)
    .required()
    .description('Ligand of the output; null when it belongs to none.'),
  mediaType: Joi.string().required().description('Media type of the output.'),
  format: Joi.string().allow(null).required().description('Format of the output; null when it has no name.'),
  byteSize: count('Size of the output in bytes.'),
  sha256: sha256.required().description('SHA-256 of the output, 64 lowercase hex characters.'),
  storageKey: Joi.string().required().description('Storage key of the output.'),
  url: Joi.string().uri().required().description('Download address, minted for this answer.'),
  urlExpiresAt: time.required().description('When the download address ends.'),
  createdAt: time.required().description('When the output was committed, to the microsecond.'),
}).description('An output of a job.');

/** The answer of GET /jobs/{id}/outputs. */
export const outputListAnswer = Joi.object({
  jobId: uuid.required().description('Id of the job.'),
  status: jobState.required().description('State of the job.'),
  complete: Joi.boolean()
    .required()
    .description('Whether the outputs of every task are present; a job can end without.'),
  final: Joi.boolean()
    .required()
    .description(
      'Whether nothing more comes: the job has ended, and all that it made is on this page and the next ones. Wait for this, and no longer.',
    ),
  expected: count(
    'Number of tasks whose outputs are expected: present, failedCount and missingCount together.',
  ),
  present: count('Number of tasks whose outputs are present.'),
  failed: taskIds('The first 100 ids of tasks that failed for good: they have no outputs.'),
  failedCount: count('Number of tasks that failed for good.'),
  missing: taskIds(
    'The first 100 ids of tasks that neither have outputs nor failed: they may still come, unless final is true.',
  ),
  missingCount: count('Number of tasks that neither have outputs nor failed.'),
  outputs: Joi.array()
    .items(outputItem)
    .required()
    .description('The outputs of this page, by task and name.'),
  manifest: outputItem
    .allow(null)
    .required()
    .description('The manifest of all outputs; null before it is written.'),
  nextCursor,
}).description('A page of outputs.');

/** The path of one task. */
export const taskPath = Joi.object<{ readonly jobId: string; readonly index: number }, true>({
  jobId: uuid.required().description('Id of the job.'),
  index: Joi.number().integer().min(0).max(9_999_999).required().description('Task index, counted from 0.'),
});
