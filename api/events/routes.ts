/** Events: what happened to the things of an account. */
import { preferredWait } from '../http/conditional.ts';
import { waitHeader } from '../http/documented-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { eventListAnswer, eventListQuery } from './schemas.ts';

const readEvents = defineEndpoint({
  method: 'GET',
  path: '/events',
  operationId: 'readEvents',
  tag: TAGS.events,
  summary: 'Read events',
  description:
    'What happened to the things of the account, oldest first, of the last 30 days; none is missed and none comes twice. Keep nextCursor, and go on with it whenever you like. With Prefer: wait=25 an empty page is held back until there is an event. A key reads the types of its scopes jobs:read, credits:read and projects:read; those of the account, its keys and its members are for people who have signed in. CURSOR_EXPIRED asks you to catch up: take the cursor of latest=true, read the lists of what you follow, then go on with that cursor.',
  access: 'any',
  limit: 'read',
  idempotency: 'none',
  headers: [waitHeader],
  query: eventListQuery,
  answers: { 200: { description: 'A page of events.', schema: eventListAnswer } },
  errors: ['INSUFFICIENT_SCOPE', 'SESSION_REQUIRED', 'CURSOR_EXPIRED'],
  async handle({ events }, { actor, query, headers }) {
    const waitSeconds = preferredWait(headers.prefer);
    return json(200, await events.list(actor, query, waitSeconds ?? 0), {
      'Cache-Control': 'private, no-store',
      ...(waitSeconds === null ? {} : { 'Preference-Applied': `wait=${waitSeconds}` }),
    });
  },
});

/** Endpoints of events. */
export const eventEndpoints: readonly Endpoint[] = [readEvents];
