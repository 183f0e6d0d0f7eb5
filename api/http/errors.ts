/**
 * The only place that writes error bodies. An `AppError` becomes its envelope; what passes, such as a database that is away,
 * becomes SERVICE_UNAVAILABLE with Retry-After; anything else becomes INTERNAL_ERROR. The cause goes to the log under the
 * request id. An answer that has already begun is cut off, so that no answer is half a body and half an error.
 */
import type Koa from 'koa';
import type { Logger } from 'pino';

import { hasCode, isAway } from '../../src/domain/away.ts';
import { AppError, envelopeOf } from '../../src/domain/errors.ts';
import type { Context, Middleware, RequestState } from './context.ts';
import { isEventStream } from './server.ts';

const UNAVAILABLE_RETRY_SECONDS = 5;

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isAway(error))
    return new AppError(
      'SERVICE_UNAVAILABLE',
      'A part of the service does not answer at the moment. Repeat the request, with the same Idempotency-Key where it had one.',
      { cause: error },
    );
  return new AppError(
    'INTERNAL_ERROR',
    'The service failed. Repeat the request; if it stays, report the X-Request-Id.',
    { cause: error },
  );
}

function log(logger: Logger, context: Context, error: AppError): void {
  if (error.status < 500) return;
  const { requestId, operationId, jobId, trace } = context.state;
  logger.error(
    {
      requestId,
      ...trace,
      jobId: jobId ?? undefined,
      operation: operationId,
      code: error.code,
      err: error.cause ?? error,
    },
    'request failed',
  );
}

function writeError(context: Context, error: AppError): void {
  const retryAfterSeconds =
    error.retryAfterSeconds ?? (error.status === 503 && error.retryable ? UNAVAILABLE_RETRY_SECONDS : null);
  if (retryAfterSeconds !== null)
    context.set('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  if (error.status === 401) context.set('WWW-Authenticate', 'Bearer');
  context.remove('ETag');
  context.set('Cache-Control', 'no-store');
  context.status = error.status;
  context.type = 'application/json; charset=utf-8';
  context.body = envelopeOf(error);
}

const isEarlyEnd = (code: string): boolean => code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Turns whatever a later step throws into the closed error body. */
export function answerErrors(logger: Logger): Middleware {
  return async (context, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = toAppError(thrown);
      log(logger, context, error);
      writeError(context, error);
    }
  };
}

/** Handles what fails outside the middlewares, such as a stream that breaks while it is sent. */
export function logLateErrors(app: Koa<RequestState>, logger: Logger): void {
  app.silent = true;
  // A stream breaks outside of the steps, so the line is told its request.
  app.on('error', (error: unknown, context?: Context) => {
    // A reader of events leaves at some time; the line of the request says so.
    if (context !== undefined && isEventStream(context.res) && hasCode(error, isEarlyEnd)) return;
    const { requestId, operationId, jobId, trace } = context?.state ?? {};
    const request = { requestId, ...trace, jobId: jobId ?? undefined, operation: operationId ?? undefined };
    logger.warn({ ...request, err: error }, 'answer broken off');
  });
}
