/** The second factor of a person. */
import { idempotencyHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { begunTotpAnswer, enabledTotpAnswer, totpCodeBody, totpStateAnswer } from './totp-schemas.ts';

const getTotp = defineEndpoint({
  method: 'GET',
  path: '/auth/totp',
  operationId: 'getSecondFactor',
  tag: TAGS.people,
  summary: 'Read how your second factor stands',
  description: 'Whether the sign-in asks for a code, and how many recovery codes are left.',
  access: 'session',
  limit: 'read',
  idempotency: 'none',
  answers: { 200: { description: 'How the second factor stands.', schema: totpStateAnswer } },
  errors: [],
  async handle({ people }, { actor }) {
    return json(200, await people.totp(actor));
  },
});

const beginTotp = defineEndpoint({
  method: 'POST',
  path: '/auth/totp',
  operationId: 'beginSecondFactor',
  tag: TAGS.people,
  summary: 'Begin a second factor',
  description:
    'Draws a secret for an authenticator (RFC 6238: six digits, thirty seconds). Nothing changes until it is confirmed, and a repeat draws another one in its place.',
  access: 'session',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  answers: { 201: { description: 'The secret, shown this once.', schema: begunTotpAnswer } },
  errors: ['TOTP_ENABLED'],
  async handle({ people }, { actor }) {
    return json(201, await people.beginTotp(actor));
  },
});

const confirmTotp = defineEndpoint({
  method: 'POST',
  path: '/auth/totp/confirm',
  operationId: 'confirmSecondFactor',
  tag: TAGS.people,
  summary: 'Confirm the second factor',
  description:
    'Makes the second factor count with a code of the authenticator, and shows the recovery codes. A repeat answers 409 TOTP_ENABLED and shows none.',
  access: 'session',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: totpCodeBody,
  answers: { 200: { description: 'The recovery codes, shown this once.', schema: enabledTotpAnswer } },
  errors: ['TOTP_ENABLED', 'TOTP_REFUSED'],
  async handle({ people }, { actor, body, address }) {
    return json(200, await people.confirmTotp(actor, body.code, address));
  },
});

const disableTotp = defineEndpoint({
  method: 'POST',
  path: '/auth/totp/disable',
  operationId: 'disableSecondFactor',
  tag: TAGS.people,
  summary: 'Take the second factor away',
  description: 'Needs a code of the authenticator or a recovery code. A repeat answers the same.',
  access: 'session',
  recent: true,
  limit: 'write',
  idempotency: 'service',
  headers: [idempotencyHeader],
  body: totpCodeBody,
  answers: { 200: { description: 'There is no second factor any more.', schema: totpStateAnswer } },
  errors: ['TOTP_REFUSED'],
  async handle({ people }, { actor, body, address }) {
    return json(200, await people.disableTotp(actor, body.code, address));
  },
});

/** Endpoints of the second factor. */
export const totpEndpoints: readonly Endpoint[] = [getTotp, beginTotp, confirmTotp, disableTotp];
