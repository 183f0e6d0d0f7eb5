/** Counts each request with its operation, status and duration. */
import type { RequestMetrics } from '../../src/metrics.ts';
import type { Middleware } from './context.ts';

/** Counts from here to the end of the answer, or to the moment when the client is gone. */
export function measure(metrics: RequestMetrics): Middleware {
  return async (context, next) => {
    const end = metrics.begin();
    context.res.once('close', () => {
      const status = context.res.writableFinished ? context.res.statusCode : null;
      end({ operation: context.state.operationId, status });
    });
    await next();
  };
}
