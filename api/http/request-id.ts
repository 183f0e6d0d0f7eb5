/**
 * Gives every request an id: the id that the client sent where that is safe to log and to send back, else a new one. Whatever
 * is logged while the request is served has the id, and what becomes known of caller and job.
 */
import { randomUUID } from 'node:crypto';

import { withLogFields, type LogFields } from '../../src/tracing/log-context.ts';
import type { Middleware, RequestState } from './context.ts';
import { setHeader } from './headers.ts';

const ACCEPTABLE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The id of a request that has sent this text as its id. */
export function requestIdOf(sent: string): string {
  return ACCEPTABLE.test(sent) ? sent : randomUUID();
}

/** Reads and writes X-Request-Id, prepares the state of the request, and names the request to the log. */
export function requestId(): Middleware {
  return (context, next) => {
    const id = requestIdOf(context.get('X-Request-Id'));
    context.state = {
      requestId: id,
      receivedAt: performance.now(),
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
    const named = new NamedRequest(context.state);
    context.res.on('close', () => named.end());
    return withLogFields(named.fields, next);
  };
}

/**
 * A request as log lines name it. Remains of a request, such as a connection, keep this object; so the state, with the body of
 * the request, is let go when the answer is out.
 */
class NamedRequest {
  #state: RequestState | null;
  #last: LogFields = {};

  constructor(state: RequestState) {
    this.#state = state;
  }

  readonly fields = (): LogFields => (this.#state === null ? this.#last : fieldsOf(this.#state));

  end(): void {
    this.#last = this.fields();
    this.#state = null;
  }
}

function fieldsOf({ requestId: id, trace, operationId, actor, jobId }: RequestState): LogFields {
  return {
    requestId: id,
    ...trace,
    ...(operationId === null ? {} : { operation: operationId }),
    ...(actor === null ? {} : { accountId: actor.accountId }),
    ...(jobId === null ? {} : { jobId }),
  };
}
