/** A command line that a person lets in, in a browser. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { setSessionCookie } from '../http/session-cookie.ts';
import { TAGS } from '../http/tags.ts';
import { approveCliBody, cliApprovalAnswer, cliSessionBody } from './cli-schemas.ts';
import { signInAnswer } from './schemas.ts';
import { visitOf } from './visit.ts';

const approve = defineEndpoint({
  method: 'POST',
  path: '/auth/cli/approve',
  operationId: 'approveCli',
  tag: TAGS.people,
  summary: 'Let a command line in',
  description:
    'What the page /cli-login calls when a person lets the command line in that has opened it: draws a code, which is good for two minutes and once, and only together with the secret of the challenge. A repeat draws another code.',
  access: 'session',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: approveCliBody,
  answers: { 201: { description: 'The code, shown this once.', schema: cliApprovalAnswer } },
  errors: [],
  async handle({ people }, { actor, body }) {
    return json(201, await people.approveCli(actor, body.challenge));
  },
});

const session = defineEndpoint({
  method: 'POST',
  path: '/auth/cli/session',
  operationId: 'beginCliSession',
  tag: TAGS.people,
  summary: 'Begin the session of a command line',
  description:
    'Begins a session with the code of POST /auth/cli/approve and the secret of its challenge. A wrong secret uses the code up. The session is one of the person who has let the command line in, and ends twelve hours after that sign-in at the latest.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  body: cliSessionBody,
  answers: {
    200: {
      description: 'Signed in.',
      schema: signInAnswer,
      headers: { 'Set-Cookie': 'The session cookie, which the command line sends with its calls.' },
    },
  },
  errors: ['CODE_EXPIRED', 'ACCOUNT_SUSPENDED', 'ACCOUNT_CLOSED'],
  async handle({ people }, request) {
    const { cookie, response } = await people.beginCliSession(visitOf(request), request.body);
    return json(200, response, setSessionCookie(cookie));
  },
});

/** Endpoints of command lines. */
export const cliEndpoints: readonly Endpoint[] = [approve, session];
