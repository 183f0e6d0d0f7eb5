/** The settings of rate limits. */
import Joi from 'joi';

import { number, text } from './setting.ts';

/** Settings of rate limits, by their names in code. */
export const LIMIT_SETTINGS = {
  rateLimitPerMinuteScale: number(
    Joi.number().positive().default(1),
    'DOCKYARD_RATE_LIMIT_SCALE',
    ['api'],
    'Multiplies every rate limit.',
  ),
  redisUrl: text(
    Joi.string()
      .uri({ scheme: ['redis', 'rediss'] })
      .allow('')
      .default(''),
    'DOCKYARD_REDIS_URL',
    ['api'],
    'Valkey or Redis, by which several processes of the API share their rate limits; empty: each process counts by itself.',
  ),
};
