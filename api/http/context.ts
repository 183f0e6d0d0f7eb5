/** State of a request between one middleware and the next. */
import type Koa from 'koa';

import type { Actor } from '../../src/domain/access.ts';
import type { TraceFields } from '../../src/tracing/tracing.ts';

/** State of one request, filled in by the middlewares in the order of `app.ts`. */
export interface RequestState {
  requestId: string;
  /** By the clock of this process, in milliseconds. */
  receivedAt: number;
  operationId: string | null;
  actor: Actor | null;
  params: unknown;
  query: unknown;
  body: unknown;
  fingerprint: string;
  idempotencyKey: string | null;
  /** The job that the request is about, once that is known. */
  jobId: string | null;
  /** The ids of the request's span; empty where tracing is off. */
  trace: TraceFields;
}

/** The HTTP context of a request. */
export type Context = Koa.ParameterizedContext<RequestState>;

/** A step of the request path. */
export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
