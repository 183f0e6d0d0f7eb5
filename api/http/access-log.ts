/** One log line per request, written when the answer is out or the client is gone. A line never holds bodies, keys or queries. */
import type { Logger } from 'pino';

import { callerOf } from '../../src/domain/access.ts';
import type { Middleware } from './context.ts';

/** Logs method, operation, status, duration and caller. */
export function accessLog(logger: Logger): Middleware {
  return (context, next) => {
    if (!logger.isLevelEnabled('info')) return next();
    const startedAt = performance.now();
    // An answer is closed once, so the listener needs no wrapper that takes the listener away.
    context.res.on('close', () => {
      const { requestId, operationId, actor, jobId, trace } = context.state;
      logger.info(
        {
          requestId,
          ...trace,
          jobId: jobId ?? undefined,
          method: context.method,
          operation: operationId,
          path: operationId === null ? context.path.slice(0, 200) : undefined,
          status: context.res.statusCode,
          finished: context.res.writableFinished,
          durationMs: Math.round(performance.now() - startedAt),
          accountId: actor?.accountId,
          caller: actor === null ? undefined : callerOf(actor),
        },
        'request',
      );
    });
    return next();
  };
}
