/** Reading and cancelling jobs: queries, bodies and answers. Schemas of submit are in `submit-schemas.ts`. */
import Joi from 'joi';

import { MOST_LIMIT_CENTS } from '../../src/domain/billing-settings.ts';
import { FORECAST_BASES } from '../../src/domain/forecast.ts';
import { JOB_STATES } from '../../src/domain/job-state.ts';
import { JOB_TYPES } from '../../src/domain/requests.ts';
import type { CancelJobRequest, ResumeJobRequest } from '../../src/domain/requests.ts';
import { EXAMPLE_JOB, STATUS_PARTS } from '../../src/tools/catalogue.ts';
import {
  failureCode,
  jobState,
  lossCause,
  pauseReason,
  STATUS_REASON_WORDS,
  waitReason,
} from '../http/codes.ts';
import {
  characters,
  currency,
  cursor,
  jobWarning,
  nextCursor,
  optionalTime,
  pageLimit,
  time,
  timeInQuery,
  uuid,
} from '../http/fields.ts';
import type { JobListQuery, SummaryQuery } from '../../src/services/jobs/list.ts';
import { jobInstance } from './instance-schemas.ts';

const jobType = Joi.string().valid(...JOB_TYPES);
const count = (text: string): Joi.NumberSchema => Joi.number().integer().min(0).required().description(text);
const cents = (text: string): Joi.NumberSchema => count(`${text}, in minor units of creditCurrency (pence).`);
const money = (text: string): Joi.NumberSchema =>
  Joi.number().min(0).required().description(`${text}, in units of currency.`);
const percent = Joi.number().min(0).max(100).required().description('How much is done, in percent.');
const nullableText = (text: string): Joi.StringSchema =>
  Joi.string().allow(null, '').required().description(text);

/** The path of one job. */
export const jobPath = Joi.object<{ readonly jobId: string }, true>({
  jobId: uuid.required().description('Id of the job.'),
});

/** States are repeated in a query at most so often; there are fewer. */
const MOST_STATES = 20;

/** GET /jobs. */
export const jobListQuery = Joi.object<JobListQuery, true>({
  limit: pageLimit(100, 25),
  cursor,
  status: Joi.array()
    .items(jobState)
    .single()
    .min(1)
    .max(MOST_STATES)
    .description('Only jobs in this state; repeat it for several.'),
  jobType: jobType.description('Only jobs of this kind.'),
  simulator: characters(1, 64).description('Only jobs of this simulator.'),
  createdAfter: timeInQuery('Only jobs created after this time, without one created at it.'),
  createdBefore: timeInQuery('Only jobs created before this time, without one created at it.'),
  jobName: characters(1, 1024).description('Only jobs whose name starts with this text.'),
});

/** GET /jobs/summary. */
export const jobSummaryQuery = Joi.object<SummaryQuery, true>({
  finishedAfter: timeInQuery(
    'Jobs that have ended count when they ended after this time, without one that ended at it.',
  ),
});

const inState = (state: string): Joi.NumberSchema =>
  count(`Number of jobs in the state ${state}.`).example(1);

/** The answer of GET /jobs/summary. */
export const jobSummaryAnswer = Joi.object({
  open: count('Number of jobs that have not ended.').example(8),
  byStatus: Joi.object(Object.fromEntries(JOB_STATES.map((state) => [state, inState(state)])))
    .required()
    .description('Number of jobs in each state.'),
}).description('Jobs of the account by their state.');

const jobListItem = Joi.object({
  jobId: uuid.required().description('Id of the job.'),
  jobType: jobType.required().description('Kind of the job.'),
  jobName: nullableText('Name of the job.'),
  status: jobState.required().description('State of the job.'),
  simulator: nullableText('Simulator of the job.'),
  progressPercent: percent,
  estimatedCost: money('Estimated cost'),
  currency: currency.required().description('Currency of estimatedCost.'),
  chargedCents: cents('Credits charged so far'),
  creditCurrency: currency.required().description('Currency of credits.'),
  createdAt: time.required().description('When the job was accepted.'),
  updatedAt: time.required().description('When the job last changed.'),
  finishedAt: optionalTime.required().description('When the job ended; null before.'),
}).description('A job in a list.');

/** The answer of GET /jobs. */
export const jobListAnswer = Joi.object({
  jobs: Joi.array().items(jobListItem).required().description('Jobs, newest first.'),
  nextCursor,
}).description('A page of jobs.');

const progress = Joi.object({
  unit: Joi.string().valid('frame', 'task', 'ligand').required().description('What is counted.'),
  total: count('Number of tasks in all.'),
  completed: count('Number of verified tasks.'),
  failed: count('Number of tasks that failed for good.'),
  running: count('Number of tasks in progress.'),
  percent,
  etaSeconds: Joi.number()
    .min(0)
    .allow(null)
    .required()
    .description('Expected time to the end in seconds; null when unknown.'),
}).description('How far the job is.');

const recoveryEvent = Joi.object({
  at: time.required().description('When the instance was given up.'),
  cause: lossCause.description('Why the instance was given up.'),
  tasksKept: count('Number of finished tasks that were kept.'),
  secondsLost: Joi.number()
    .min(0)
    .required()
    .description('Work that was lost, in seconds, over all tasks of the instance.'),
  chargedCents: cents('Credits charged for it: always 0'),
}).description('One replacement of a lost instance.');

const jobRecovery = Joi.object({
  mode: Joi.string().valid('standard', 'resumable').required().description('Chosen at submit.'),
  resumable: Joi.boolean()
    .required()
    .description(
      'Whether a task of this job goes on from a checkpoint after a loss, and does not begin again; the preparation may prove it.',
    ),
  resumableReason: nullableText('Why the tasks of this job begin again; null where they go on.').example(
    'The tool keeps no checkpoints: a task that is lost begins again.',
  ),
  recoveries: count('Number of instances that were replaced.'),
  tasksSetBack: count('Number of tasks that were set back with their instances, each time counted.').example(
    0,
  ),
  secondsLost: Joi.number()
    .min(0)
    .required()
    .example(0)
    .description('Work that was lost with instances, in seconds.'),
  chargedCents: cents('Credits charged for lost instances: always 0').example(0),
  events: Joi.array().items(recoveryEvent).required().description('The replacements, oldest first.'),
}).description('What was lost and brought back.');

const cost = Joi.object({
  estimatedCost: money('Estimated cost'),
  accruedCost: money(
    'Cost of what is verified so far, by price class or by measured seconds; never above what is held',
  ),
  currency: currency.required().description('Currency of the costs.'),
  creditCurrency: currency.required().description('Currency of credits.'),
  fxRate: Joi.number()
    .greater(0)
    .required()
    .description('Exchange rate: units of creditCurrency per unit of currency, frozen for this execution.'),
  heldCents: cents('Credits held for the job in all; those charged and given back are part of them'),
  chargedCents: cents('Credits charged of those held'),
  releasedCents: cents('Credits given back of those held'),
  limitCents: Joi.number()
    .integer()
    .min(0)
    .allow(null)
    .required()
    .description(
      'The most that this execution may hold, in pence, as its resume said; null without a limit.',
    ),
  forecast: Joi.object({
    lowCents: cents('The least that it is expected to come to'),
    highCents: cents('The most that it is expected to come to'),
    basis: Joi.string()
      .valid(...FORECAST_BASES)
      .required()
      .description(
        'PROGRESS: by the progress of running tasks; VERIFIED: by the time of verified ones; ESTIMATE: nothing is seen yet.',
      ),
  })
    .allow(null)
    .required()
    .example(null)
    .description(
      'What the whole job is expected to be charged, where seconds are measured, while it goes on by itself; null for every other job. It changes by itself, without another version of the status.',
    ),
  toFinishCents: Joi.number()
    .integer()
    .min(0)
    .allow(null)
    .required()
    .example(120)
    .description(
      'What a resume would hold for what is missing, in pence, by the prices of now; null while the job goes on by itself, when it is done, and when it cannot be resumed.',
    ),
  toFinishAdvice: nullableText(
    'What to do so that the job is finished; null where nothing is to be done.',
  ).example(
    'To finish, this job needs £1.20 to be held, and £0.50 is available. Top up at least £0.70, then resume the job.',
  ),
  toFinishFailsAgain: Joi.boolean()
    .required()
    .example(false)
    .description(
      'Whether what is missing has failed for its own input, so that a resume would end in the same way and another input is needed.',
    ),
}).description('The money of the job.');

const failure = Joi.object({
  index: Joi.number()
    .integer()
    .min(0)
    .allow(null)
    .required()
    .description('Task index, counted from 0; null for the preparation.'),
  id: nullableText('Ligand id, frame number or task id.'),
  code: failureCode.description('Machine-readable reason.'),
  message: Joi.string().allow('').required().description('Reason for people.'),
  attempts: count('Number of attempts made.'),
}).description('A task that failed for good.');

const queuePlace = Joi.object({
  position: Joi.number()
    .integer()
    .min(1)
    .allow(null)
    .required()
    .description(
      'Place in the queue, counted from 1, with `license` among those that wait for a seat of the same software; null when unknown.',
    ),
  reason: waitReason.description('What the job waits for.'),
  license: Joi.object({
    software: Joi.string().required().example('houdini').description('The software, by its id.'),
    seats: count('Number of seats of the software.'),
    used: count('Number of seats that running jobs have.'),
  }).description('The seats that the job waits for; absent when it waits for something else.'),
})
  .allow(null)
  .description('Where a waiting job stands; null when it does not wait.');

/** The answer of GET /jobs/{id}/status. */
export const jobStatusAnswer = Joi.object({
  jobId: uuid.required().description('Id of the job.'),
  jobType: jobType.required().description('Kind of the job.'),
  jobName: nullableText('Name of the job.'),
  status: jobState.required().description('State of the job.'),
  execution: Joi.number().integer().min(1).required().description('Number of the execution, counted from 1.'),
  provider: Joi.string().required().description('Where the job runs.'),
  statusReason: nullableText(STATUS_REASON_WORDS),
  pauseReason: pauseReason.description(
    'Why the job is paused, or is about to pause; null when neither is so.',
  ),
  cancelReason: nullableText(
    'Why the job is to be cancelled, in the words of who asked for the cancel; null without a cancel or without words.',
  ),
  queue: queuePlace.required(),
  progress: progress.required(),
  recovery: jobRecovery.required(),
  instances: Joi.array()
    .items(jobInstance)
    .required()
    .description('The instances that the job has now, by slot; none while it waits, rests or has ended.'),
  cost: cost.required(),
  failures: Joi.array().items(failure).max(20).required().description('The first 20 tasks that failed.'),
  warnings: Joi.array().items(jobWarning).required().description('Warnings.'),
  outputsAvailable: Joi.boolean().required().description('Whether at least one output can be downloaded.'),
  submittedAt: time.required().description('When the job was accepted.'),
  startedAt: optionalTime.required().description('When the first task started; null before.'),
  updatedAt: time.required().description('When the job last changed.'),
  finishedAt: optionalTime.required().description('When the job ended; null before.'),
})
  .append(STATUS_PARTS)
  .description('How a job stands.');

/** The answer of GET /jobs/{id}/request. */
export const jobRequestAnswer = Joi.object({
  jobId: uuid.required().description('Id of the job.'),
  request: Joi.object()
    .unknown()
    .required()
    .example(EXAMPLE_JOB)
    .description(
      'The body of the submit with its defaults, as POST /jobs/submit takes it, without idempotencyKey, quoteId and dockingRequest.',
    ),
  effectiveSeed: Joi.number()
    .integer()
    .allow(null)
    .required()
    .example(42)
    .description(
      'The number that the job draws from (its seed), also where the request named none; null for a tool without one.',
    ),
  submittable: Joi.boolean()
    .required()
    .description('Whether POST /jobs/submit takes the request; the job of a batch is started as a batch.'),
  advice: nullableText(
    'How to do the same again where a submit does not take it; null where one does.',
  ).example(null),
}).description('The request of a job.');

/** POST /jobs/{id}/cancel; an empty body is allowed. */
export const cancelJobBody = Joi.object<CancelJobRequest, true>({
  reason: characters(1, 500)
    .example('The receptor was the wrong one.')
    .description('Why the job is cancelled, 1 to 500 characters.'),
}).description('Why the job is cancelled.');

/** The answer of POST /jobs/{id}/cancel. */
export const cancelJobAnswer = Joi.object({
  jobId: uuid.required().description('Id of the job.'),
  status: jobState.required().description('State of the job.'),
  cancelRequestedAt: optionalTime
    .required()
    .description('When cancelling was first asked for; null when the job had ended before.'),
  message: Joi.string().required().description('What happens now.'),
}).description('What cancelling does.');

/** POST /jobs/{id}/resume; an empty body is allowed. */
export const resumeJobBody = Joi.object<ResumeJobRequest, true>({
  limitCents: Joi.number()
    .integer()
    .min(1)
    .max(MOST_LIMIT_CENTS)
    .example(500)
    .description(
      'The most that is held for the job to go on, in pence, 1 to 100,000,000. The job does what that covers, then pauses with COST_LIMIT. Without it, what is missing is held whole.',
    ),
}).description('How the job is resumed.');

/** The answer of POST /jobs/{id}/resume. */
export const resumeJobAnswer = Joi.object({
  jobId: uuid.required().description('Id of the job.'),
  status: jobState.required().description('State of the job.'),
  execution: Joi.number()
    .integer()
    .min(1)
    .required()
    .example(2)
    .description(
      'Number of the execution that goes on: a next one, or the present one of a job whose work had stopped by a fault of the service.',
    ),
  estimatedCost: Joi.number()
    .min(0)
    .required()
    .example(0.42)
    .description('Expected price of what is missing, in units of currency.'),
  currency: Joi.string().valid('USD', 'GBP').required().description('Currency of the price.'),
  creditCurrency: Joi.string().valid('GBP').required().description('Currency of credits.'),
  fxRate: Joi.number()
    .positive()
    .required()
    .example(0.79)
    .description('Units of creditCurrency per unit of currency, frozen for this execution.'),
  heldCents: Joi.number()
    .integer()
    .min(0)
    .required()
    .example(42)
    .description('Held for what is missing, in pence.'),
  message: Joi.string().required().example('The job goes on.').description('What happens now.'),
}).description('What resuming does.');
