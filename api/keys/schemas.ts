/** API keys: records, lists, and what makes a key. */
import Joi from 'joi';

import { SCOPES } from '../../src/domain/access.ts';
import type { CreateApiKeyRequest, RotateApiKeyRequest } from '../../src/domain/keys.ts';
import { KEY_STATUSES, LONGEST_OVERLAP_SECONDS } from '../../src/domain/keys.ts';
import { characters, cursor, nextCursor, optionalTime, pageLimit, time, uuid } from '../http/fields.ts';
import type { PageQuery } from '../http/fields.ts';
import type { Answers } from '../../src/domain/answers.ts';

type ApiKeyRecord = Answers['listApiKeys']['keys'][number];

/** Permission of a key. */
const scope = Joi.string().valid(...SCOPES);

const ofLimit = (text: string, example: number): Joi.NumberSchema =>
  Joi.number().integer().min(0).allow(null).required().example(example).description(`${text}, in GBP pence.`);

/** The fields of the record of a key. */
const keyFields = {
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
  monthSpentCents: ofLimit(
    'What jobs of the key were charged in this UTC month and hold now; null without a limit',
    1_250,
  ),
  monthRestCents: ofLimit('What is left of the limit; null without one', 3_750),
  allowedCidrs: Joi.array()
    .items(Joi.string())
    .allow(null)
    .required()
    .description('The networks that the key may be used from; null for any.'),
} satisfies Record<keyof ApiKeyRecord, Joi.Schema>;

/** A key that was revoked, now or before. */
export const revokedKeyAnswer = Joi.object({
  id: uuid.required().description('Id of the key.'),
  status: Joi.string().valid('REVOKED').required().description('The key has ended.'),
  revokedAt: time.required().description('When the key was revoked; a repeat answers the first time.'),
}).description('A key that has ended.');

/** A record of a key. */
export const apiKey = Joi.object(keyFields).description('An API key, without the key itself.');

/** GET /keys. */
export const keyListQuery = Joi.object<PageQuery, true>({ limit: pageLimit(100, 50), cursor });

/** The answer of GET /keys. */
export const keyListAnswer = Joi.object({
  keys: Joi.array().items(apiKey).required().description('Keys, newest first.'),
  nextCursor,
}).description('A page of keys.');

/** The path of one key. */
export const keyPath = Joi.object<{ keyId: string }, true>({
  keyId: uuid.required().description('Id of the key.'),
});

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const BITS_4 = '(?:3[0-2]|[12]?[0-9])';
const GROUP = '[0-9a-fA-F]{1,4}';
/** Every way to write an IPv6 address, by how many groups stand before and behind the two colons. */
const ADDRESS_6 = [
  `(?:${GROUP}:){7}${GROUP}`,
  `(?:${GROUP}:){1,7}:`,
  ...[6, 5, 4, 3, 2, 1].map((before) => `(?:${GROUP}:){1,${before}}(?::${GROUP}){1,${7 - before}}`),
  `:(?:(?::${GROUP}){1,7}|:)`,
].join('|');
const BITS_6 = '(?:12[0-8]|1[01][0-9]|[1-9]?[0-9])';
const CIDR = new RegExp(`^(?:${OCTET}(?:\\.${OCTET}){3}/${BITS_4}|(?:${ADDRESS_6})/${BITS_6})$`);

/** POST /keys. */
export const createKeyBody = Joi.object<CreateApiKeyRequest, true>({
  name: characters(1, 100).required().description('Name of the key, for people, 1 to 100 characters.'),
  environment: Joi.string()
    .valid('live', 'test')
    .default('live')
    .description('live charges real credits; test is never billed and cannot submit or cancel jobs.'),
  scopes: Joi.array().items(scope).min(1).required().description('What the key permits; at least one scope.'),
  allowedCidrs: Joi.array()
    .items(Joi.string().pattern(CIDR, { name: 'network' }))
    .min(1)
    .max(50)
    .description(
      'The networks that the key may be used from, each as 192.0.2.0/24 or 2001:db8::/32; any when it is left out.',
    ),
  monthlyLimitCents: Joi.number()
    .integer()
    .min(0)
    .description(
      'The most that the key may spend in a UTC month, in GBP pence, counting what its jobs hold; no limit of its own when it is left out.',
    ),
});

/** POST /keys/{keyId}/rotate. */
export const rotateKeyBody = Joi.object<RotateApiKeyRequest, true>({
  overlapSeconds: Joi.number()
    .integer()
    .min(0)
    .max(LONGEST_OVERLAP_SECONDS)
    .required()
    .description('How long the old key goes on working beside the new one, in seconds; at most a week.'),
});

const key = Joi.string()
  .required()
  .description('The key itself, which is shown this once and stored nowhere.');

/** The answer of POST /keys. */
export const issuedKeyAnswer = Joi.object({ ...keyFields, key }).description('A new key.');

/** The answer of POST /keys/{keyId}/rotate. */
export const rotatedKeyAnswer = Joi.object({
  ...keyFields,
  key,
  replaces: Joi.object({
    id: uuid.required().description('Id of the old key.'),
    expiresAt: time.required().description('When the old key ends.'),
  })
    .required()
    .description('The key that the new one takes the place of.'),
}).description('A new key in the place of an old one.');
