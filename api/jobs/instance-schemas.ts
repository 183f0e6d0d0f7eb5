/** An instance of a job, as its status shows it. */
import Joi from 'joi';

import { MARKETS } from '../../src/domain/recoveries.ts';
import { time } from '../http/fields.ts';

/** States of an instance that works for a job, or is about to. */
const INSTANCE_STATES = ['STARTING', 'WORKING', 'LEAVING'] as const;

const nullableText = (text: string): Joi.StringSchema =>
  Joi.string().allow(null).required().description(text);

/** An instance in the status of a job. */
export const jobInstance = Joi.object({
  slot: Joi.number()
    .integer()
    .min(0)
    .required()
    .example(0)
    .description('Which of the instances of the job, counted from 0.'),
  generation: Joi.number()
    .integer()
    .min(1)
    .required()
    .example(1)
    .description('How often the slot got an instance, counted from 1.'),
  state: Joi.string()
    .valid(...INSTANCE_STATES)
    .required()
    .example('WORKING')
    .description(
      'STARTING: asked for, and not heard of yet. WORKING: in contact. LEAVING: about to be taken away; it ends what it runs.',
    ),
  type: nullableText(
    'Type of the machine by the name of its provider; null where the provider has no types, or none is settled yet.',
  ).example('g5.xlarge'),
  market: Joi.string()
    .valid(...MARKETS)
    .required()
    .description('How the machine is bought; the price of the job does not depend on it.'),
  zone: nullableText(
    'Zone of the machine; null where the provider has no zones, or the machine is not there yet.',
  ).example('us-west-2a'),
  gpus: Joi.number().integer().min(0).required().example(1).description('Number of its GPUs.'),
  since: time.required().description('When the machine was asked for.'),
}).description('An instance that works for the job.');
