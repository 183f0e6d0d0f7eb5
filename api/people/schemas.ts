/** People: signing up and in, sessions and passwords. */
import Joi from 'joi';

import type {
  Credentials,
  ForgotPasswordRequest,
  ResetPasswordRequest,
  SignInRequest,
  VerifyRequest,
} from '../../src/domain/people.ts';
import { time, uuid, wholeList } from '../http/fields.ts';
import { email, factorCode, givenPassword, mailCode, newPassword } from './fields.ts';

/** POST /auth/sign-up. */
export const signUpBody = Joi.object<Credentials, true>({ email, password: newPassword });

/** POST /auth/sign-in. */
export const signInBody = Joi.object<SignInRequest, true>({
  email,
  password: givenPassword,
  totp: factorCode.description(
    'The present code of the authenticator, or a recovery code; only for whoever has a second factor.',
  ),
});

/** POST /auth/verify. */
export const verifyBody = Joi.object<VerifyRequest, true>({ code: mailCode, password: givenPassword });

/** POST /auth/password/forgot. */
export const forgotBody = Joi.object<ForgotPasswordRequest, true>({ email });

/** POST /auth/password/reset. */
export const resetBody = Joi.object<ResetPasswordRequest, true>({ code: mailCode, password: newPassword });

/** The answer that is the same for every address. */
export const mailSentAnswer = Joi.object({
  message: Joi.string().required().description('What to do next, for people.'),
}).description('The same for every address, known or not.');

/** The answer of POST /auth/verify. */
export const verifiedAnswer = Joi.object({
  email: Joi.string().required().description('The address that the code has proved.'),
}).description('The address is confirmed; sign in now.');

/** When a session ends. */
export const sessionEnd = time
  .required()
  .description(
    'When the session ends without further use: seven days after the last use, thirty days in all.',
  );

/** A person in an answer. */
export const user = Joi.object({
  id: uuid.required().description('Id of the person.'),
  email: Joi.string().required().description('E-mail address of the person.'),
})
  .required()
  .description('The person.');

/** The account of a person in an answer. */
export const account = Joi.object({
  id: uuid.required().description('Id of the account.'),
  plan: Joi.string().valid('free', 'pro').required().description('Plan of the account.'),
  role: Joi.string().valid('owner', 'member').required().description('What the person is in the account.'),
})
  .required()
  .description('The account, which the first sign-in opens.');

/** The answer of POST /auth/sign-in. */
export const signInAnswer = Joi.object({
  sessionId: uuid.required().description('Id of the session.'),
  user,
  account,
  expiresAt: sessionEnd,
}).description('Who has signed in. The cookie of the answer is the session.');

const session = Joi.object({
  id: uuid.required().description('Id of the session.'),
  current: Joi.boolean().required().description('Whether it is the session that asks.'),
  address: Joi.string().required().description('Address of the sign-in.'),
  userAgent: Joi.string()
    .allow(null, '')
    .required()
    .description('Program of the sign-in; null when it told none.'),
  createdAt: time.required().description('When the person signed in.'),
  lastSeenAt: time.required().description('The last use, exact to a minute.'),
  expiresAt: sessionEnd,
}).description('A browser in which the person has signed in.');

/** The answer of GET /auth/sessions. */
export const sessionListAnswer = Joi.object({
  sessions: Joi.array().items(session).required().description('Open sessions, newest first.'),
})
  .append(wholeList)
  .description('The open sessions of the person.');

/** The path of one session. */
export const sessionPath = Joi.object<{ sessionId: string }, true>({
  sessionId: uuid.required().description('Id of the session.'),
});

/** The answer of DELETE /auth/sessions/{sessionId}. */
export const endedSessionAnswer = Joi.object({
  id: uuid.required().description('Id of the session.'),
  endedAt: time.required().description('When the session ended; a repeat answers the first time.'),
}).description('A session that has ended.');

/** The answer of DELETE /auth/sessions. */
export const endedSessionsAnswer = Joi.object({
  ended: Joi.number().integer().required().description('Number of sessions that have ended.'),
}).description('Every session of the person has ended.');
