/** Turns declared endpoints into routes: a request that matches runs the steps of its endpoint, any other gets 404 or 405. */
import Router from '@koa/router';

import { AppError } from '../../src/domain/errors.ts';
import type { Context, Middleware, RequestState } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import { limitAnonymous } from './rate-limit.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { wholePath } from './endpoint.ts';

/** A group of endpoints under one base path, and the steps that each of them runs. */
export interface RouteGroup {
  readonly base: string;
  readonly endpoints: readonly Endpoint[];
  readonly chain: (endpoint: Endpoint) => readonly Middleware[];
}

/** A path that stands for itself. */
const FIXED = /^[\w./-]+$/;

/** All steps of an endpoint as one, put together once and not for every request. */
function runSteps(endpoint: Endpoint, steps: readonly Middleware[]): Middleware {
  const run = (index: number, context: Context, next: () => Promise<void>): Promise<void> => {
    const step = steps[index];
    return step === undefined ? next() : step(context, () => run(index + 1, context, next));
  };
  return (context, next) => {
    context.state.operationId = endpoint.operationId;
    return run(0, context, next);
  };
}

/** Answers a request that no route matches by a page; false where it has none for the request. */
export type UnknownPage = (context: Context) => boolean;

function refuseUnmatched(
  router: Router<RequestState>,
  limiter: RateLimiter,
  answered: UnknownPage,
): Middleware {
  return async (context) => {
    await limitAnonymous(context, limiter);
    const { path: layers } = router.match(context.path, context.method);
    // A path that is an endpoint's own is no id of another endpoint's.
    const own = layers.filter(({ paramNames }) => paramNames.length === 0);
    const methods = new Set((own.length > 0 ? own : layers).flatMap((layer) => layer.methods));
    if (methods.size === 0 && answered(context)) return;
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
export function createRoutes(
  groups: readonly RouteGroup[],
  limiter: RateLimiter,
  unknownPage: UnknownPage = () => false,
): Routes {
  const router = new Router<RequestState>({ sensitive: true });
  const fixed = new Map<string, Map<string, Middleware>>();
  for (const { base, endpoints, chain } of groups) {
    for (const endpoint of endpoints) {
      const { method } = endpoint;
      const path = wholePath(base, endpoint);
      const steps = runSteps(endpoint, chain(endpoint));
      router.register(path, [method], [steps]);
      // A route is taken without the router only where the router would have taken the same.
      const isFirst = router.match(path, method).pathAndMethod[0]?.stack[0] === steps;
      const ofMethod = fixed.get(method) ?? new Map<string, Middleware>();
      if (isFirst && FIXED.test(path)) fixed.set(method, ofMethod.set(path, steps));
    }
  }
  return {
    matched: matchFixed(fixed, router.routes()),
    unmatched: refuseUnmatched(router, limiter, unknownPage),
  };
}

/** Finds a path without parameters by its text: the router tries the patterns of all endpoints one after the other. */
function matchFixed(
  fixed: ReadonlyMap<string, ReadonlyMap<string, Middleware>>,
  others: Routes['matched'],
): Routes['matched'] {
  return (context, next): unknown => {
    const steps = fixed.get(context.method)?.get(context.path);
    return steps === undefined ? others(context, next) : steps(context, next);
  };
}
