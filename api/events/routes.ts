/** Events: what happened to the things of an account. */
import { preferredWait } from '../http/conditional.ts';
import { lastEventId, waitHeader } from '../http/documented-headers.ts';
import type { Answer, Endpoint } from '../http/endpoint.ts';
import { defineEndpoint, json } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';
import { jobPath } from '../jobs/schemas.ts';
import { eventListAnswer, eventListQuery, eventStreamQuery, jobEventsQuery } from './schemas.ts';

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

/** A stream as the document shows it. */
const STREAM = [
  'retry: 3120\nid: WyJEaWdlc3QiLCI0MSIsIjAxOThhN2UzIl0\n',
  'id: WyJEaWdlc3QiLCI0MiIsIjAxOThhN2U0Il0\ndata: {"id":"0198a7e4-0a2d-7b95-a4f7-6c1d3e8b5f90","type":"job.succeeded","timestamp":"2026-11-22T09:02:17.480000Z","data":{"jobId":"0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11","status":"SUCCEEDED"}}\n',
  'event: results.changed\ndata: {"jobId":"0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11","completed":10,"failed":0,"total":10}\n',
  ': heartbeat\nid: WyJEaWdlc3QiLCI0MiIsIjAxOThhN2U0Il0\n\n',
].join('\n');

const PARTS =
  'Server-sent events. A part without a name has an event as GET /events answers it, and its id goes on behind it. Parts with the name results.changed say how far a job is once results were added, at most once a second, and are kept nowhere. A part with the name reset, which has error and code, comes first where the cursor was refused; the stream then begins now. A part without data comes every 15 s. A reader that is slow misses no event.';

/** The answer of a stream; proxies are asked to pass each part on at once. */
function streamed(stream: NonNullable<Answer['stream']>): Answer<never> {
  return {
    status: 200,
    stream,
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'private, no-store, no-transform',
      'X-Accel-Buffering': 'no',
      Connection: 'close',
    },
  };
}

const streamEvents = defineEndpoint({
  method: 'GET',
  path: '/events/stream',
  operationId: 'streamEvents',
  tag: TAGS.events,
  summary: 'Follow events as a stream',
  description: `${PARTS} At most 20 streams of an account are open at once. A stream ends when its key or session does, and when the service restarts: come back after the milliseconds of retry, with the last id as Last-Event-ID or after.`,
  access: 'any',
  limit: 'read',
  idempotency: 'none',
  headers: [lastEventId],
  query: eventStreamQuery,
  answers: { 200: { description: 'The stream.', mediaType: 'text/event-stream', example: STREAM } },
  errors: ['INSUFFICIENT_SCOPE', 'SESSION_REQUIRED', 'STREAM_LIMIT'],
  async handle({ events }, { actor, query, headers }) {
    const after = headers['last-event-id'] ?? query.after;
    return streamed(await events.stream(actor, after === undefined ? query : { ...query, after }));
  },
});

const streamJobEvents = defineEndpoint({
  method: 'GET',
  path: '/jobs/:jobId/events',
  operationId: 'streamJobEvents',
  tag: TAGS.events,
  summary: 'Follow a job as a stream',
  description: `${PARTS} Parts with the name status have the status of the job and its version, at the beginning and as it changes; they are kept nowhere, too. The stream stays open when the job has ended, because a job can be resumed.`,
  access: 'jobs:read',
  limit: 'read',
  idempotency: 'none',
  params: jobPath,
  headers: [lastEventId],
  query: jobEventsQuery,
  answers: { 200: { description: 'The stream.', mediaType: 'text/event-stream', example: STREAM } },
  errors: ['NOT_FOUND', 'STREAM_LIMIT'],
  async handle({ events }, { actor, params, query, headers }) {
    const after = headers['last-event-id'] ?? query.after;
    return streamed(await events.streamJob(actor, params.jobId, after));
  },
});

/** Endpoints of events. */
export const eventEndpoints: readonly Endpoint[] = [readEvents, streamEvents, streamJobEvents];
