/** What a request carries from one middleware to the next. */
import type Koa from 'koa';

import type { Actor } from '../../src/domain/access.ts';

/** State of one request, filled in by the middlewares in the order of `app.ts`. */
export interface RequestState {
  requestId: string;
  operationId: string | null;
  actor: Actor | null;
  params: unknown;
  query: unknown;
  body: unknown;
  fingerprint: string;
  idempotencyKey: string | null;
}

/** The HTTP context of a request. */
export type Context = Koa.ParameterizedContext<RequestState>;

/** A step of the request path. */
export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
