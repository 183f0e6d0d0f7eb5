/** Signing in by a provider of identities. */
import Joi from 'joi';

import type { OidcCallbackQuery, OidcFinishRequest } from '../../src/domain/people.ts';
import { factorCode } from './fields.ts';

const LONGEST = 2048;
const LONGEST_RETURN = 400;
/** A path of this origin: a second slash or a backslash at its beginning would name another host. */
const PAGE_PATH = /^\/(?![/\\])[!$-[\]-~]*$/;
const sent = Joi.string().max(LONGEST);
const unread = sent.allow('').description('Sent by some providers; not read.');

interface SentBack extends OidcCallbackQuery {
  readonly error_description?: string;
  readonly error_uri?: string;
  readonly session_state?: string;
  readonly scope?: string;
  readonly authuser?: string;
  readonly hd?: string;
  readonly prompt?: string;
}

/** The query of GET /auth/oidc/start. */
export const startQuery = Joi.object<{ readonly returnTo?: string }, true>({
  returnTo: Joi.string()
    .max(LONGEST_RETURN)
    .pattern(PAGE_PATH, { name: 'path of a page of this service' })
    .example('/cli-login')
    .description(
      `Path of a page of this service with its query, at most ${LONGEST_RETURN} characters, to which the browser is sent on in the end.`,
    ),
});

/** The query of GET /auth/oidc/callback. */
export const callbackQuery = Joi.object<SentBack, true>({
  state: sent
    .required()
    .example('pTnYw3yJ0m1hC8r5Zt4uXbq2LkEoVdGsA9iFe7WNcMg')
    .description('The value that the sign-in began with.'),
  code: sent.description('The code of the provider; without one the provider has refused.'),
  iss: sent.description('The issuer, where the provider names itself.'),
  error: sent.description('Why the provider has refused, in the words of the protocol.'),
  error_description: unread,
  error_uri: unread,
  session_state: unread,
  scope: unread,
  authuser: unread,
  hd: unread,
  prompt: unread,
});

/** POST /auth/oidc/finish. */
export const finishBody = Joi.object<OidcFinishRequest, true>({
  totp: factorCode.required().description('The present code of the authenticator, or a recovery code.'),
});
