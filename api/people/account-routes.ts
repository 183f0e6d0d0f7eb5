/** The account of whoever has signed in. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { CLEAR_SESSION_COOKIE } from '../http/session-cookie.ts';
import { TAGS } from '../http/tags.ts';
import {
  accountAnswer,
  closeAccountBody,
  closedAccountAnswer,
  installationAnswer,
} from './account-schemas.ts';

const getAccount = defineEndpoint({
  method: 'GET',
  path: '/account',
  operationId: 'getAccount',
  tag: TAGS.members,
  summary: 'Read who you are, and your account',
  description: 'The person and the session of the cookie, the account, and what this installation has.',
  access: 'session',
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'You and your account.', schema: accountAnswer } },
  errors: [],
  async handle({ people }, { actor }) {
    return json(200, await people.ownAccount(actor));
  },
});

const getInstallation = defineEndpoint({
  method: 'GET',
  path: '/public/installation',
  operationId: 'getInstallation',
  tag: TAGS.people,
  summary: 'Read what this installation has',
  description:
    'What a page needs to know before anybody has signed in: for example, whether there is a provider of sign-ins.',
  access: 'none',
  limit: 'public',
  idempotency: 'none',
  answers: { 200: { description: 'What there is.', schema: installationAnswer } },
  errors: [],
  async handle({ people }) {
    return json(200, people.installation());
  },
});

const closeAccount = defineEndpoint({
  method: 'POST',
  path: '/account/close',
  operationId: 'closeAccount',
  tag: TAGS.members,
  summary: 'Close the account for ever',
  description:
    'Revokes every key, signs everybody out and removes the files of the account; what is left of its credits is lost, and its bookings stay. Refused while something goes on: an open job, a subscription, a payment, a debt. A repeat answers 401, because the session has ended.',
  access: 'owner',
  recent: true,
  limit: 'write',
  bodyOptional: true,
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: closeAccountBody,
  answers: {
    200: {
      description: 'The account is closed.',
      schema: closedAccountAnswer,
      headers: { 'Set-Cookie': 'Takes the session cookie from the browser.' },
    },
  },
  errors: ['ACCOUNT_IN_USE', 'ACCOUNT_CLOSED'],
  async handle({ people }, { actor, body, address }) {
    return json(200, await people.closeOwnAccount(actor, { ...body, address }), CLEAR_SESSION_COOKIE);
  },
});

/** Endpoints of the account itself. */
export const accountEndpoints: readonly Endpoint[] = [getInstallation, getAccount, closeAccount];
