/** Estimating a job: request and answer. Unlike submit, metadata takes known keys only. */
import Joi from 'joi';

import type { EstimateJobRequest, KnownJobMetadata } from '../../src/domain/requests.ts';
import { EXAMPLE_JOB } from '../../src/tools/catalogue.ts';
import { currency, fxDate, fxSource, jobWarning, time } from '../http/fields.ts';
import {
  frameStepWhereSent,
  jobRules,
  knownMetadata,
  quoteId,
  sharedFields,
  simulatorIsNamed,
  simulatorMessages,
} from '../jobs/job-fields.ts';

/** POST /jobs/estimate. */
export const estimateJobBody = Joi.object<EstimateJobRequest, true>({
  jobType: Joi.string()
    .valid('render', 'simulation', 'molecular')
    .default('render')
    .description('Kind of the job.'),
  ...sharedFields,
  frameStep: Joi.number()
    .integer()
    .min(1)
    .default(1)
    .description(
      'Render every Nth frame: number of frames from one rendered frame to the next; for render jobs, unused in others.',
    ),
  metadata: Joi.object<KnownJobMetadata, true>(knownMetadata).description(
    'Metadata of the job; known keys only.',
  ),
})
  .custom(frameStepWhereSent)
  .custom(simulatorIsNamed)
  .messages(simulatorMessages)
  .meta(jobRules)
  .example(EXAMPLE_JOB)
  .description('A job to price.');

const money = (text: string): Joi.NumberSchema =>
  Joi.number().min(0).required().description(`${text}, in units of currency.`);

/** The parts of an estimate. */
export const breakdown = Joi.object({
  compute: money('Cost of compute'),
  software: money('Cost of software licences'),
  storage: money('Cost of storage'),
  egress: money('Cost of downloads'),
  startFee: money('Fee for starting the job'),
}).description('Parts of the estimate.');

/** Rates that an estimate was made with. */
export const variableRates = Joi.object({
  hardwareRate: Joi.number()
    .min(0)
    .required()
    .description('Rate of the hardware, in units of currency per hour.'),
  egressRate: Joi.number().min(0).required().description('Rate of downloads, in units of currency per GB.'),
}).description('Rates that the estimate uses.');

/** The answer of POST /jobs/estimate. */
export const estimateJobAnswer = Joi.object({
  estimatedCost: money('Estimated cost'),
  currency: currency.required().description('Currency of the estimate.'),
  hasLicenseFee: Joi.boolean().description('Whether a licence fee is part of it.'),
  licenseNames: Joi.array().items(Joi.string()).description('Licences that are paid for.'),
  breakdown,
  variableRates,
  heldCents: Joi.number()
    .integer()
    .min(0)
    .required()
    .description('Credits that submitting would hold, in pence.'),
  ceilingCents: Joi.number()
    .integer()
    .min(0)
    .required()
    .description(
      'The most that the job is charged for what is held now, in pence. A job that is priced by measured seconds holds more when its tasks take longer than estimated, within the credits and limits of the account, or pauses.',
    ),
  longestTaskSeconds: Joi.number()
    .greater(0)
    .required()
    .description(
      'The longest that one task may run, in seconds; it is ended then (ENGINE_TIMEOUT). Of a task that goes on from its last checkpoint the limit is of each part. A larger estimatedRuntimeSeconds raises it, where the tool takes one, up to what this installation allows.',
    ),
  creditCurrency: currency.required().description('Currency of credits.'),
  fxRate: Joi.number()
    .greater(0)
    .required()
    .description('Exchange rate: units of creditCurrency per unit of currency.'),
  fxSource,
  fxDate,
  warnings: Joi.array().items(jobWarning).required().description('What the job would be warned of at once.'),
  quoteId: quoteId
    .required()
    .description('The quote: send it with the submit, and the job has this price and this exchange rate.'),
  quoteExpiresAt: time.required().description('Until when the quote is taken.'),
}).description('The price of the job.');
