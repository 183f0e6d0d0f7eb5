/** Counts each request with its operation, status and duration. */
import { countRequest } from '../../src/metrics.ts';
import type { RequestMetrics } from '../../src/metrics.ts';
import type { Middleware } from './context.ts';

/** Counts every request that passes this step. */
export function measure(metrics: RequestMetrics): Middleware {
  return (context, next) => {
    countRequest(metrics, context.res, () => context.state.operationId);
    return next();
  };
}
