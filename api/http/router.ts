/** Turns declared endpoints into routes: a request that matches runs the steps of its endpoint, any other gets 404 or 405. */
import Router from '@koa/router';

import { AppError } from '../../src/domain/errors.ts';
import type { Middleware, RequestState } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import { limitAnonymous } from './rate-limit.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** A group of endpoints under one base path, and the steps that each of them runs. */
export interface RouteGroup {
  readonly base: string;
  readonly endpoints: readonly Endpoint[];
  readonly chain: (endpoint: Endpoint) => readonly Middleware[];
}

function nameOperation(endpoint: Endpoint): Middleware {
  return async (context, next) => {
    context.state.operationId = endpoint.operationId;
    await next();
  };
}

function refuseUnmatched(router: Router<RequestState>, limiter: RateLimiter): Middleware {
  return async (context) => {
    await limitAnonymous(context, limiter);
    const { path: layers } = router.match(context.path, context.method);
    // A path that is an endpoint's own is no id of another endpoint's.
    const own = layers.filter(({ paramNames }) => paramNames.length === 0);
    const methods = new Set((own.length > 0 ? own : layers).flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new AppError('NOT_FOUND', 'There is no such path.');
    const allowed = [...methods].sort().join(', ');
    context.set('Allow', allowed);
    throw new AppError('METHOD_NOT_ALLOWED', `${context.method} is not possible here. Allowed: ${allowed}.`);
  };
}

/** Routes of all groups, and the answer to requests that match no route. */
export interface Routes {
  readonly matched: ReturnType<Router<RequestState>['routes']>;
  readonly unmatched: Middleware;
}

/** Makes the routes. HEAD is answered wherever GET is. */
export function createRoutes(groups: readonly RouteGroup[], limiter: RateLimiter): Routes {
  const router = new Router<RequestState>({ sensitive: true });
  for (const { base, endpoints, chain } of groups) {
    for (const endpoint of endpoints) {
      router.register(
        `${base}${endpoint.path}`,
        [endpoint.method],
        [nameOperation(endpoint), ...chain(endpoint)],
      );
    }
  }
  return { matched: router.routes(), unmatched: refuseUnmatched(router, limiter) };
}
