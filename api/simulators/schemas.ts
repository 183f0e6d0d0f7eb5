/** The list of simulators. */
import Joi from 'joi';

import { UNAVAILABLE_REASONS } from '../../src/domain/availability.ts';
import { wholeList } from '../http/fields.ts';

const words = (text: string): Joi.StringSchema => Joi.string().required().description(text);

const simulator = Joi.object({
  id: words('The name that `simulator` takes; for jobs without one, the name of the tool.'),
  aliases: Joi.array().items(Joi.string()).required().description('Other names that `simulator` takes.'),
  jobType: words('The `jobType` of its jobs.'),
  title: words('What it is called.'),
  available: Joi.boolean()
    .required()
    .description('Whether it can be run now; a job for one that cannot is refused.'),
  reason: Joi.string()
    .valid(...UNAVAILABLE_REASONS)
    .allow(null)
    .required()
    .description('What is missing; null when it is available.'),
  version: Joi.string()
    .allow(null)
    .required()
    .description('Version of the programs that run; null when they come with the service or are missing.'),
  packDigest: Joi.string()
    .allow(null)
    .required()
    .description('SHA-256 over the files of these programs; null as `version`.'),
  variants: Joi.array()
    .items(
      Joi.object({
        name: words('The name that a request takes, such as `st4` in `parameters.physics`.'),
        version: Joi.string().allow(null).required().description('Version of these programs.'),
        packDigest: Joi.string()
          .allow(null)
          .required()
          .description('SHA-256 over the files of these programs.'),
      }),
    )
    .required()
    .description(
      'Variants of the programs that can be run: of physics, or of versions. Empty for most simulators.',
    ),
  unit: Joi.string().valid('frame', 'task', 'ligand').required().description('What one task of a job is.'),
  priceModel: Joi.string()
    .valid('fixed', 'measured')
    .required()
    .description(
      'fixed: the price of a task is known at submit; measured: it follows the seconds of its run.',
    ),
  licence: Joi.object({
    name: words('Name of the licence.'),
    url: words('Address of the text of the licence.'),
  })
    .required()
    .description('The licence of the programs.'),
  needsSceneFile: Joi.boolean().required().description('Whether a job needs `sceneFile`.'),
  parameters: Joi.array()
    .items(Joi.string())
    .required()
    .description('The fields of `simulationParams` that it reads; others are accepted with a warning.'),
});

/** The answer of GET /simulators. */
export const simulatorListAnswer = Joi.object({
  simulators: Joi.array().items(simulator).required().description('All simulators, in a fixed order.'),
})
  .append(wholeList)
  .description('The simulators of this service.');
