/** Gives every request an id: the id that the client sent where that is safe to log and to send back, else a new one. */
import { randomUUID } from 'node:crypto';

import type { Middleware } from './context.ts';

const ACCEPTABLE = /^[A-Za-z0-9._:-]{1,128}$/;

/** Reads and writes X-Request-Id, and prepares the state of the request. */
export function requestId(): Middleware {
  return async (context, next) => {
    const sent = context.get('X-Request-Id');
    const id = ACCEPTABLE.test(sent) ? sent : randomUUID();
    Object.assign(context.state, {
      requestId: id,
      operationId: null,
      actor: null,
      params: {},
      query: {},
      body: undefined,
      fingerprint: '',
      idempotencyKey: null,
    });
    context.set('X-Request-Id', id);
    await next();
  };
}
