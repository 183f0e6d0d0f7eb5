/** The recovery ledger of a job: query and answer. */
import Joi from 'joi';

import { MARKETS, RECOVERY_KINDS } from '../../src/domain/recoveries.ts';
import { recoveryCause } from '../http/codes.ts';
import { cursor, nextCursor, pageLimit, time } from '../http/fields.ts';
import type { PageQuery } from '../http/fields.ts';

const count = (text: string): Joi.NumberSchema => Joi.number().integer().min(0).required().description(text);

/** GET /jobs/{id}/recoveries. */
export const recoveryListQuery = Joi.object<PageQuery, true>({ limit: pageLimit(1000, 100), cursor });

const instance = Joi.object({
  slot: count('Place of the instance in the fleet of the job, counted from 0.').example(0),
  generation: count('Number of the instance in its place, counted from 1.').example(1),
  type: Joi.string()
    .allow(null)
    .required()
    .example(null)
    .description('Type of the instance at its provider; null where the provider has no types.'),
  market: Joi.string()
    .valid(...MARKETS)
    .required()
    .example('ON_DEMAND')
    .description('How the instance was rented; one of SPOT may be taken away.'),
})
  .allow(null)
  .description('The instance that was lost; null for a pause or a resume.');

const recovery = Joi.object({
  at: time.required().description('When the instance was given up, or the job paused or resumed.'),
  kind: Joi.string()
    .valid(...RECOVERY_KINDS)
    .required()
    .example('LOSS')
    .description('LOSS: an instance was lost; PAUSE, RESUME: the job was paused or resumed.'),
  execution: Joi.number()
    .integer()
    .min(1)
    .required()
    .example(1)
    .description('Number of the execution, counted from 1.'),
  instance: instance.required(),
  cause: recoveryCause.example('INSTANCE_GONE').description('Why work stopped, or went on.'),
  tasksKept: count('Number of verified tasks, which stay as they are.').example(12),
  tasksSetBack: count('Number of tasks and steps that are run again.').example(2),
  secondsLost: Joi.number()
    .min(0)
    .required()
    .example(8.25)
    .description('Work that was lost, in seconds, over all tasks that were running.'),
  secondsUntilWork: Joi.number()
    .min(0)
    .allow(null)
    .required()
    .example(3.104)
    .description('Seconds until work went on: the first of these tasks ran again; null as long as none has.'),
  chargedCents: count('Credits charged for it in pence: always 0.').example(0),
}).description('An entry of the recovery ledger.');

/** The answer of GET /jobs/{id}/recoveries. */
export const recoveryListAnswer = Joi.object({
  recoveries: Joi.array().items(recovery).required().description('Entries, the oldest first.'),
  nextCursor,
}).description('A page of the recovery ledger.');
