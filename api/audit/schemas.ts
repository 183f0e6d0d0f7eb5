/** The audit log. */
import Joi from 'joi';

import type { AuditListQuery } from '../../src/domain/audit.ts';
import { AUDIT_ACTIONS, AUTHOR_KINDS } from '../../src/domain/audit.ts';
import { cursor, nextCursor, pageLimit, time, uuid } from '../http/fields.ts';

/** GET /audit. */
export const auditListQuery = Joi.object<AuditListQuery, true>({
  limit: pageLimit(200, 50),
  cursor,
  action: Joi.string()
    .valid(...AUDIT_ACTIONS)
    .description('Only changes of this kind.'),
});

const facts = (text: string): Joi.ObjectSchema =>
  Joi.object().unknown().allow(null).required().description(text);

const author = Joi.object({
  kind: Joi.string()
    .valid(...AUTHOR_KINDS)
    .required()
    .description(
      'key, session, visitor (nobody had signed in yet), operator of the service, or payments (an event of the provider of payments).',
    ),
  id: Joi.string().allow(null).required().description('Id of the key or the session; null for others.'),
  userId: uuid.allow(null).required().description('Id of the person; null for an operator and for payments.'),
  email: Joi.string()
    .allow(null)
    .required()
    .description('E-mail address of the person; null for an operator and for payments.'),
}).description('Who made the change.');

const entry = Joi.object({
  id: uuid.required().description('Id of the entry.'),
  at: time.required().description('When the change was made.'),
  action: Joi.string().required().description('Kind of the change. Treat unknown kinds generically.'),
  subject: Joi.string().required().description('Id of what was changed.'),
  author: author.required(),
  address: Joi.string()
    .allow(null)
    .required()
    .description('Address that the author called from; null for an operator and for payments.'),
  before: facts('What was there before, without secrets; null where nothing is told.'),
  after: facts('What was there afterwards, without secrets; null where nothing is told.'),
}).description('One change.');

/** The answer of GET /audit. */
export const auditListAnswer = Joi.object({
  entries: Joi.array().items(entry).required().description('Changes, newest first.'),
  nextCursor,
}).description('A page of the audit log.');
