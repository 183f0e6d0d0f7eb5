/** The account of whoever has signed in, and its end. */
import Joi from 'joi';

import { characters, time, uuid } from '../http/fields.ts';
import { account, sessionEnd, user } from './schemas.ts';

const has = (text: string): Joi.BooleanSchema => Joi.boolean().required().example(true).description(text);

/** The answer of GET /public/installation. */
export const installationAnswer = Joi.object({
  signInProvider: has('Whether people may sign in by a provider, at GET /auth/oidc/start.'),
  payments: has('Whether top-ups and subscriptions can be bought.'),
  welcomeCents: Joi.number()
    .integer()
    .min(0)
    .required()
    .example(100)
    .description('Credits that a person has with the first sign-in, in pence; 0: none.'),
  uploadOrigin: Joi.string()
    .required()
    .example('https://store.example.com')
    .description('Origin of the addresses that files are uploaded to and downloaded from.'),
}).description('What this installation of the service has.');

/** The answer of GET /account. */
export const accountAnswer = Joi.object({
  user,
  account: account
    .append({ openedAt: time.required().description('When the account was opened.') })
    .description('The account that the person belongs to.'),
  session: Joi.object({
    id: uuid.required().description('Id of the session.'),
    expiresAt: sessionEnd,
    recentUntil: time
      .required()
      .description(
        'Until when the sign-in is recent enough for what asks for a sign-in of the last twelve hours; such a call answers 403 SIGN_IN_AGAIN afterwards.',
      ),
  })
    .required()
    .description('The session of the call.'),
  installation: installationAnswer.required(),
}).description('The person, the account and the session of the call.');

/** POST /account/close; an empty body is allowed. */
export const closeAccountBody = Joi.object<{ readonly reason?: string }, true>({
  reason: characters(1, 500)
    .example('The project has ended.')
    .description('Why the account is closed, 1 to 500 characters; kept in the audit log.'),
}).description('Why the account is closed.');

/** The answer of POST /account/close. */
export const closedAccountAnswer = Joi.object({
  accountId: uuid.required().description('Id of the account.'),
  keysRevoked: Joi.number()
    .integer()
    .min(0)
    .required()
    .example(2)
    .description('Number of API keys that were revoked with the account.'),
}).description('The account is closed.');
