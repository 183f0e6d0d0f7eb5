/** Submitting a job: request and answer. */
import Joi from 'joi';

import type { DockingRequestLink, JobMetadata, SubmitJobRequest } from '../../src/domain/requests.ts';
import { QUOTE_ID_CHARACTERS } from '../../src/domain/priced.ts';
import { JOB_TYPES } from '../../src/domain/requests.ts';
import { EXAMPLE_JOB } from '../../src/tools/catalogue.ts';
import { deprecatedField } from '../http/deprecation.ts';
import { characters, currency, storageKey, uuid } from '../http/fields.ts';
import {
  frameStepWhereSent,
  jobRules,
  knownMetadata,
  quoteId,
  sharedFields,
  simulatorIsNamed,
  simulatorMessages,
} from './job-fields.ts';

/** An idempotency key of the body: any text of this length, also a text that a header cannot carry. */
const idempotencyKey = characters(8, 255);

const dockingRequest = Joi.object<DockingRequestLink, true>({
  requestId: characters(1, 255).required().description('Id of the docking request, 1 to 255 characters.'),
  runId: characters(1, 255).required().description('Id of the docking run, 1 to 255 characters.'),
  idempotencyKey: idempotencyKey
    .required()
    .description('Idempotency key of the docking request, 8 to 255 characters.'),
}).description('The docking run that this job executes.');

/** Most attachments of a job; each attachment is looked up in the store before the job is admitted. */
const MAX_ATTACHMENTS = 10_000;

/** POST /jobs/submit. */
export const submitJobBody = Joi.object<SubmitJobRequest, true>({
  jobType: Joi.string()
    .valid(...JOB_TYPES)
    .default('render')
    .description('Kind of the job; pipeline is refused unless it is enabled.'),
  sceneFile: storageKey.description(
    'Storage key of the scene file or input data, as an upload answered it, 1 to 2048 characters.',
  ),
  ...sharedFields,
  frameStep: Joi.number()
    .greater(0)
    .default(1)
    .description(
      'Render every Nth frame: number of frames from one rendered frame to the next; only rendered frames are charged; for render jobs, unused in others.',
    ),
  outputFormat: Joi.string()
    .valid('EXR', 'PNG', 'JPEG')
    .description('File format of rendered frames; for render jobs, unused in others.'),
  idempotencyKey: idempotencyKey.description(
    'Idempotency key, 8 to 255 characters; must agree with the Idempotency-Key header when both are sent.',
  ),
  dockingRequest,
  metadata: Joi.object<JobMetadata>(knownMetadata)
    .unknown(true)
    .description('Metadata of the job; unknown keys are kept for plugins and workers.'),
  priority: Joi.number()
    .integer()
    .description('Ignored: a number without unit; the plan of the account decides.')
    .meta(deprecatedField({ since: '2026-11-22', sunset: '2027-06-01' })),
  quoteId: quoteId.description(
    `Quote of an estimate of this job, ${QUOTE_ID_CHARACTERS.least} to ${QUOTE_ID_CHARACTERS.most} characters: the job has its price and exchange rate. Refused when a field that decides the price differs, or after quoteExpiresAt.`,
  ),
  jobName: characters(0, 1024).description('Name shown to people, at most 1024 characters.'),
  attachments: Joi.array()
    .items(storageKey.description('Storage key, 1 to 2048 characters.'))
    .max(MAX_ATTACHMENTS)
    .description(`Storage keys of further files that the scene refers to, at most ${MAX_ATTACHMENTS}.`),
})
  .custom(frameStepWhereSent)
  .custom(simulatorIsNamed)
  .messages(simulatorMessages)
  .meta(jobRules)
  .example({ ...EXAMPLE_JOB, jobName: 'Imatinib into ABL kinase' })
  .description('A job to run.');

/** The answer of POST /jobs/submit. */
export const submitJobAnswer = Joi.object({
  jobId: uuid.required().description('Id of the job, for status, outputs and cancel.'),
  jobType: Joi.string()
    .valid(...JOB_TYPES)
    .required()
    .description('Kind of the job, as sent.'),
  estimatedCost: Joi.number().min(0).required().description('Estimated cost in units of currency.'),
  currency: currency.required().description('Currency of estimatedCost.'),
  status: Joi.string()
    .valid('SUBMITTED')
    .required()
    .description('State of the job: always SUBMITTED at first.'),
  provider: Joi.string().required().description('Where the job runs.'),
  idempotentReplay: Joi.boolean().description(
    'True when this is the stored answer of an earlier request with the same key.',
  ),
  message: Joi.string()
    .required()
    .description('What is held, the most that the job can cost, and which fields it does not use.'),
  creditCurrency: currency.required().description('Currency of credits.'),
  fxRate: Joi.number()
    .greater(0)
    .required()
    .description('Exchange rate: units of creditCurrency per unit of currency, frozen for this job.'),
  heldCents: Joi.number()
    .integer()
    .min(0)
    .required()
    .description(
      'Credits held for the job, in pence: the whole price where prices are fixed, which is the most that it can cost; a fifth more than the estimate where seconds are measured, which is extended when tasks take longer.',
    ),
}).description('The accepted job.');
