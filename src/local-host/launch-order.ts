/** Reads the launch order of an instance process. */
import Joi from 'joi';

import { MARKETS } from '../domain/recoveries.ts';
import { isContainment } from '../contracts/containment.ts';
import type { LaunchOrder, LaunchRequest } from '../contracts/local-host.ts';

/** The schema of a launch request. */
export const launchRequestSchema = Joi.object<LaunchRequest>({
  jobId: Joi.string().uuid().required(),
  slot: Joi.number().integer().min(0).required(),
  generation: Joi.number().integer().min(1).required(),
  token: Joi.string().min(1).max(512).required(),
  taskQueue: Joi.string().min(1).max(512).required(),
  vcpus: Joi.number().integer().min(1).required(),
  gpus: Joi.number().integer().min(0).default(0),
  toolSlots: Joi.number().integer().min(1).max(256).required(),
  market: Joi.string()
    .valid(...MARKETS)
    .default('ON_DEMAND'),
  credential: Joi.string().min(1).max(1024).required(),
});

const orderSchema = Joi.object<LaunchOrder>({
  instanceId: Joi.string().required(),
  folder: Joi.string().required(),
  startsLog: Joi.string().required(),
  containment: Joi.custom((value: unknown, helpers) =>
    isContainment(value) ? value : helpers.error('any.invalid'),
  ).required(),
  gpus: Joi.array().items(Joi.number().integer().min(0)).required(),
  launch: launchRequestSchema.required(),
});

/**
 * Parses the line that a host sends to its child process.
 * @throws Error when the line is no launch order.
 */
export function parseLaunchOrder(line: string): LaunchOrder {
  const value: unknown = JSON.parse(line);
  const result = orderSchema.validate(value);
  if (result.error) throw result.error;
  return result.value;
}
