/** Gives every request an id: the id that the client sent where that is safe to log and to send back, else a new one. */
import { randomUUID } from 'node:crypto';

import type { Middleware } from './context.ts';
import { setHeader } from './headers.ts';

const ACCEPTABLE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The id of a request that has sent this text as its id. */
export function requestIdOf(sent: string): string {
  return ACCEPTABLE.test(sent) ? sent : randomUUID();
}

/** Reads and writes X-Request-Id, and prepares the state of the request. */
export function requestId(): Middleware {
  return (context, next) => {
    const id = requestIdOf(context.get('X-Request-Id'));
    context.state = {
      requestId: id,
      operationId: null,
      actor: null,
      params: {},
      query: {},
      body: undefined,
      fingerprint: '',
      idempotencyKey: null,
      jobId: null,
      trace: {},
    };
    setHeader(context, 'X-Request-Id', id);
    return next();
  };
}
