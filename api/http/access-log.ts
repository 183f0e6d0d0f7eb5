/** One log line per request, written when the answer is out or the client is gone. A line never holds bodies, keys or queries, nor what looks like a key in a path that no route has. */
import type { Logger } from 'pino';

import { callerOf } from '../../src/domain/access.ts';
import type { Middleware } from './context.ts';

/** A name as routes have them, or a UUID; keys and codes of mails are longer, and keys begin with their brand. */
const PLAIN = /^(?!svc_)(?:[\w.~-]{0,24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** The path, with a star for each part that is neither a plain name nor an id. */
function withoutSecrets(path: string): string {
  return path
    .split('/')
    .map((part) => (PLAIN.test(part) ? part : '*'))
    .join('/');
}

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
          path: operationId === null ? withoutSecrets(context.path).slice(0, 200) : undefined,
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
