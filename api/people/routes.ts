/** People: signing up and in, sessions and passwords. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Answer, Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json, whole } from '../http/endpoint.ts';
import { CLEAR_SESSION_COOKIE, readSessionCookie, setSessionCookie } from '../http/session-cookie.ts';
import { TAGS } from '../http/tags.ts';
import {
  endedSessionAnswer,
  endedSessionsAnswer,
  forgotBody,
  mailSentAnswer,
  resetBody,
  sessionListAnswer,
  sessionPath,
  signInAnswer,
  signInBody,
  signUpBody,
  verifiedAnswer,
  verifyBody,
} from './schemas.ts';
import { visitOf } from './visit.ts';

function mailSent<Body>({ response, afterwards }: { response: Body; afterwards: () => void }): Answer<Body> {
  return { status: 202, body: response, afterwards };
}

const COOKIE = 'The session cookie: for this host alone, over HTTPS, not for scripts.';

const signUp = defineEndpoint({
  method: 'POST',
  path: '/auth/sign-up',
  operationId: 'signUp',
  tag: TAGS.people,
  summary: 'Sign up',
  description:
    'Sends a code by mail, with which the address is confirmed. The answer is the same where the address is known already; then the mail says so.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  body: signUpBody,
  answers: { 202: { description: 'The same for every address.', schema: mailSentAnswer } },
  errors: [],
  async handle({ people }, request) {
    return mailSent(await people.signUp(visitOf(request), request.body));
  },
});

const verifyAddress = defineEndpoint({
  method: 'POST',
  path: '/auth/verify',
  operationId: 'verifyAddress',
  tag: TAGS.people,
  summary: 'Confirm an address',
  description:
    'Confirms the address of a sign-up with the code of the mail, once, and with the password of the sign-up, so that nobody confirms an address for somebody else who has signed up with it. Sign in afterwards.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  body: verifyBody,
  answers: { 200: { description: 'The address is confirmed.', schema: verifiedAnswer } },
  errors: ['SIGN_IN_REFUSED', 'CODE_EXPIRED'],
  async handle({ people }, request) {
    return json(200, await people.verify(visitOf(request), request.body));
  },
});

const signIn = defineEndpoint({
  method: 'POST',
  path: '/auth/sign-in',
  operationId: 'signIn',
  tag: TAGS.people,
  summary: 'Sign in',
  description:
    'Begins a session with a new cookie, and ends the one that the browser had. The first sign-in opens the account. An address may be tried ten times within a quarter of an hour from one network.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  body: signInBody,
  answers: {
    200: { description: 'Signed in.', schema: signInAnswer, headers: { 'Set-Cookie': COOKIE } },
  },
  errors: ['SIGN_IN_REFUSED', 'TOTP_REQUIRED', 'TOTP_REFUSED', 'ACCOUNT_SUSPENDED', 'ACCOUNT_CLOSED'],
  async handle({ people }, request) {
    const former = readSessionCookie(request.headers['cookie']);
    const { cookie, response } = await people.signIn(visitOf(request), request.body, former);
    return json(200, response, setSessionCookie(cookie));
  },
});

const signOut = defineEndpoint({
  method: 'POST',
  path: '/auth/sign-out',
  operationId: 'signOut',
  tag: TAGS.people,
  summary: 'Sign out',
  description:
    'Ends the session of this call at once, everywhere, and takes the cookie from the browser. A repeat answers 401, because the session has ended.',
  access: 'session',
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  answers: {
    200: { description: 'Signed out.', schema: endedSessionAnswer, headers: { 'Set-Cookie': COOKIE } },
  },
  errors: [],
  async handle({ people }, { actor, address }) {
    return json(200, await people.endSession(actor, actor.sessionId, address), CLEAR_SESSION_COOKIE);
  },
});

const forgotPassword = defineEndpoint({
  method: 'POST',
  path: '/auth/password/forgot',
  operationId: 'forgotPassword',
  tag: TAGS.people,
  summary: 'Ask for a new password',
  description: 'Sends a code by mail if the address is known. The answer is the same if it is not.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  body: forgotBody,
  answers: { 202: { description: 'The same for every address.', schema: mailSentAnswer } },
  errors: [],
  async handle({ people }, request) {
    return mailSent(await people.forgotPassword(visitOf(request), request.body));
  },
});

const resetPassword = defineEndpoint({
  method: 'POST',
  path: '/auth/password/reset',
  operationId: 'resetPassword',
  tag: TAGS.people,
  summary: 'Set a new password',
  description:
    'Sets the password with the code of the mail, once, and ends every session of the person. Sign in afterwards.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  body: resetBody,
  answers: { 204: { description: 'The password is set, and every session has ended.' } },
  errors: ['CODE_EXPIRED'],
  async handle({ people }, request) {
    await people.resetPassword(visitOf(request), request.body);
    return { status: 204, headers: CLEAR_SESSION_COOKIE };
  },
});

const listSessions = defineEndpoint({
  method: 'GET',
  path: '/auth/sessions',
  operationId: 'listSessions',
  tag: TAGS.people,
  summary: 'List your sessions',
  description: 'Every browser in which you are signed in.',
  access: 'session',
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'Your open sessions.', schema: sessionListAnswer } },
  errors: [],
  async handle({ people }, { actor }) {
    return whole(await people.sessions(actor));
  },
});

const endSession = defineEndpoint({
  method: 'DELETE',
  path: '/auth/sessions/:sessionId',
  operationId: 'endSession',
  tag: TAGS.people,
  summary: 'End one of your sessions',
  description: 'Ends a session at once, everywhere. A repeat answers the same.',
  access: 'session',
  limit: 'write',
  idempotency: 'none',
  params: sessionPath,
  answers: { 200: { description: 'The session has ended.', schema: endedSessionAnswer } },
  errors: [],
  async handle({ people }, { actor, params, address }) {
    return json(200, await people.endSession(actor, params.sessionId, address));
  },
});

const endSessions = defineEndpoint({
  method: 'DELETE',
  path: '/auth/sessions',
  operationId: 'endSessions',
  tag: TAGS.people,
  summary: 'End all your sessions',
  description: 'Signs you out everywhere, here as well.',
  access: 'session',
  limit: 'write',
  idempotency: 'none',
  answers: {
    200: { description: 'Signed out.', schema: endedSessionsAnswer, headers: { 'Set-Cookie': COOKIE } },
  },
  errors: [],
  async handle({ people }, { actor, address }) {
    return json(200, await people.endSessions(actor, address), CLEAR_SESSION_COOKIE);
  },
});

/** Endpoints of people. */
export const peopleEndpoints: readonly Endpoint[] = [
  signUp,
  verifyAddress,
  signIn,
  signOut,
  forgotPassword,
  resetPassword,
  listSessions,
  endSession,
  endSessions,
];
