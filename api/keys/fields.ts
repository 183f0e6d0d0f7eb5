/** Fields of API keys. */
import Joi from 'joi';

import { SCOPES } from '../../src/domain/access.ts';
import type { ApiKeyRecord, RevokedApiKey } from '../../src/domain/keys.ts';
import { KEY_STATUSES } from '../../src/domain/keys.ts';
import { optionalTime, time, uuid } from '../http/fields.ts';

/** What a key permits. */
export const scope = Joi.string().valid(...SCOPES);

/** The fields of the record of a key. */
export const keyFields = {
  id: uuid.required().description('Id of the key.'),
  name: Joi.string().required().description('Name of the key, for people.'),
  environment: Joi.string()
    .valid('live', 'test')
    .required()
    .description('live charges real credits; test is never billed and cannot submit or cancel jobs.'),
  scopes: Joi.array().items(scope).required().description('What the key permits.'),
  prefix: Joi.string().required().description('The first characters of the key, to tell keys apart.'),
  last4: Joi.string().required().description('The last four characters of the key.'),
  status: Joi.string()
    .valid(...KEY_STATUSES)
    .required()
    .description('ACTIVE: it can be used. EXPIRED: its time is over. REVOKED: somebody ended it.'),
  createdBy: uuid.required().description('Id of the user who made the key.'),
  createdAt: time.required().description('When the key was made.'),
  lastUsedAt: optionalTime.required().description('The last use, exact to a minute; null before the first.'),
  expiresAt: optionalTime.required().description('When the key ends by itself; null for never.'),
  revokedAt: optionalTime.required().description('When the key was revoked; null when it was not.'),
  monthlyLimitCents: Joi.number()
    .integer()
    .allow(null)
    .required()
    .description('The most that the key may spend in a month, in GBP pence; null for no limit of its own.'),
  allowedCidrs: Joi.array()
    .items(Joi.string())
    .allow(null)
    .required()
    .description('The networks that the key may be used from; null for any.'),
} satisfies Record<keyof ApiKeyRecord, Joi.Schema>;

/** A key that was revoked, now or before. */
export const revokedKeyAnswer = Joi.object<RevokedApiKey, true>({
  id: uuid.required().description('Id of the key.'),
  status: Joi.string().valid('REVOKED').required().description('The key has ended.'),
  revokedAt: time.required().description('When the key was revoked; a repeat answers the first time.'),
}).description('A key that has ended.');
