/** Gives every request an id, and takes the client's where it is safe to log and to send back. */
import { randomUUID } from 'node:crypto';

import type { Middleware } from './context.ts';

const ACCEPTABLE = /^[A-Za-z0-9._:-]{1,128}$/;

/** X-Request-Id in and out; also prepares the state of the request. */
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
