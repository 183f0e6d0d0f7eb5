/**
 * The compute gateway: the only service that an instance may reach besides presigned URLs. The order of the middleware:
 * count, request id and errors, health, protocol version, bootstrap, instance token, route. The gateway answers 401 to an API key, and
 * the public API answers 401 to an instance token.
 */
import { randomUUID } from 'node:crypto';

import Router from '@koa/router';
import type Joi from 'joi';
import Koa from 'koa';
import type { Context, Next } from 'koa';
import rawBody from 'raw-body';
import { parse } from 'secure-json-parse';

import { COMPUTE_PROTOCOL, LOG_CHUNK_BYTES, PAYLOADS_BYTES, PROTOCOL_HEADER } from '../contracts/instance.ts';
import type { InstanceClaims } from '../contracts/instance.ts';
import { TRACE_HEADER } from '../contracts/tracing.ts';
import { AppError, envelopeOf } from '../domain/errors.ts';
import { isRecord } from '../domain/is-record.ts';
import { excessOf } from '../domain/json-bounds.ts';
import { countRequest, NO_METRICS, type RequestMetrics } from '../metrics.ts';
import type { GatewayService } from '../services/execution/gateway.ts';
import { withLogFields, type LogFields } from '../tracing/log-context.ts';
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts';
import { workIdsOf } from '../tracing/work-ids.ts';
import {
  bootstrapBody,
  checkpointBody,
  claimBody,
  contactBody,
  inputUrlsBody,
  logTarget,
  meterBody,
  payloadsBody,
  uploadUrlsBody,
} from './schemas.ts';

const JSON_LIMIT_BYTES = 1024 * 1024;
/** The bounds of a JSON body: the largest legal call names a thousand files with four facts each, in three levels. */
const JSON_BOUNDS = { depth: 16, values: 20_000, members: 20_000 };
const SHOWN_FAULTS = 20;
const OLDEST_PROTOCOL = 1;
const OPERATION = 'operation';
/** Key in the state of a call under which the fields of its log lines lie. */
const NAMED = 'named';

/** Reports to operators a request that the gateway could not serve. */
export type ReportFailure = (failure: {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly error: unknown;
}) => void;

/** Metrics and traces of the calls. */
export interface GatewayWatch {
  readonly metrics?: RequestMetrics;
  readonly tracing?: Tracing;
}

interface GatewayState {
  claims: InstanceClaims;
}

/** Builds the gateway's HTTP application. */
export function createGatewayApp(
  service: GatewayService,
  report: ReportFailure,
  { metrics = NO_METRICS, tracing = NO_TRACING }: GatewayWatch = {},
): Koa {
  const app = new Koa();
  app.silent = true;
  app.use(measure(metrics));
  app.use(answerErrors(report));
  app.use(health(service).routes());
  app.use(requireProtocol);
  app.use(bootstrap(service).routes());
  app.use(authenticate(service));
  if (tracing.isOn) app.use(traceCalls(tracing));
  app.use(routes(service).routes());
  app.use(() => {
    throw new AppError('NOT_FOUND', 'There is no such path.');
  });
  return app;
}

function measure(metrics: RequestMetrics) {
  return (ctx: Context, next: Next): Promise<void> => {
    countRequest(metrics, ctx.res, () => {
      const operation: unknown = ctx.state[OPERATION];
      return typeof operation === 'string' ? operation : null;
    });
    return next();
  };
}

/** Makes a span of a call whose instance says to which trace the call belongs; other calls, such as contacts, make none. */
function traceCalls(tracing: Tracing) {
  return (ctx: Context & { state: GatewayState }, next: Next): Promise<void> => {
    const { jobId, slot, generation } = ctx.state.claims;
    const facts = { jobId, slot, generation, method: ctx.method };
    const start = { name: ctx.method, kind: 'server', parent: ctx.get(TRACE_HEADER) || null, facts } as const;
    return tracing.inSpan(start, async (span) => {
      nameToLog(ctx, tracing.logFields());
      await next();
      const name: unknown = ctx.state[OPERATION];
      if (typeof name === 'string') span.rename(name);
      span.add({ status: ctx.status });
    });
  };
}

/** Sets the operation under which a request is counted. */
function operation(name: string) {
  return (ctx: Context, next: Next): Promise<void> => {
    ctx.state[OPERATION] = name;
    nameToLog(ctx, { operation: name });
    return next();
  };
}

/** Says more of a call to the lines that are still to be written while the call is served. */
function nameToLog(ctx: Context, more: LogFields): void {
  const named: unknown = ctx.state[NAMED];
  if (isRecord(named)) Object.assign(named, more);
}

function answerErrors(report: ReportFailure) {
  return (ctx: Context, next: Next): Promise<void> => {
    const requestId = randomUUID();
    const named: LogFields = { requestId };
    ctx.state[NAMED] = named;
    return withLogFields(
      () => named,
      () => answer(report, requestId, ctx, next),
    );
  };
}

async function answer(report: ReportFailure, requestId: string, ctx: Context, next: Next): Promise<void> {
  ctx.set('X-Request-Id', requestId);
  ctx.set(PROTOCOL_HEADER, String(COMPUTE_PROTOCOL));
  try {
    await next();
  } catch (error) {
    const known = knownError(error);
    if (known.status >= 500) report({ requestId, method: ctx.method, path: ctx.path, error });
    ctx.status = known.status;
    ctx.body = envelopeOf(known);
    if (known.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
    if (known.retryAfterSeconds !== null) ctx.set('Retry-After', String(known.retryAfterSeconds));
    // The rest of a body that was not read to its end would be taken for the next request on the connection.
    if (!ctx.req.complete) ctx.set('Connection', 'close');
  }
}

function knownError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const type = isRecord(error) ? error['type'] : undefined;
  if (type === 'entity.too.large') {
    return new AppError('PAYLOAD_TOO_LARGE', 'The body is larger than this operation accepts.');
  }
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return new AppError('VALIDATION_ERROR', 'The body ended early.');
  }
  return new AppError('INTERNAL_ERROR', 'The gateway failed; repeat the call.', { cause: error });
}

function health(service: GatewayService): Router {
  const router = new Router();
  router.get('/healthz', operation('healthz'), (ctx) => {
    ctx.body = { ok: true };
  });
  router.get('/readyz', operation('readyz'), async (ctx) => {
    const failing = await service.check();
    ctx.status = failing.length === 0 ? 200 : 503;
    ctx.body = failing.length === 0 ? { ok: true } : { ok: false, failing };
  });
  return router;
}

/** The one call without a bearer, because it gives the first one. */
function bootstrap(service: GatewayService): Router {
  const router = new Router();
  router.post('/v1/bootstrap', operation('bootstrap'), async (ctx) => {
    ctx.body = await service.bootstrap(await readJson(ctx, bootstrapBody));
  });
  return router;
}

function requireProtocol(ctx: Context, next: Next): Promise<void> {
  const version = Number(ctx.get(PROTOCOL_HEADER));
  if (!Number.isInteger(version) || version < OLDEST_PROTOCOL || version > COMPUTE_PROTOCOL) {
    throw new AppError(
      'VALIDATION_ERROR',
      `${PROTOCOL_HEADER} must be ${OLDEST_PROTOCOL} to ${COMPUTE_PROTOCOL}.`,
    );
  }
  return next();
}

function authenticate(service: GatewayService) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const [scheme, token, ...rest] = ctx.get('Authorization').split(' ');
    const isBearer = scheme?.toLowerCase() === 'bearer' && token !== undefined && rest.length === 0;
    const claims = isBearer ? await service.verify(token) : null;
    if (claims === null) throw new AppError('UNAUTHORIZED', 'This needs the token of an instance.');
    ctx.state['claims'] = claims;
    const { jobId, slot, generation } = claims;
    nameToLog(ctx, { jobId, slot, generation });
    await next();
  };
}

function routes(service: GatewayService): Router<GatewayState> {
  const router = new Router<GatewayState>({ prefix: '/v1' });
  router.post('/tasks/claim', operation('claimTasks'), async (ctx) => {
    ctx.body = await service.claim(ctx.state.claims, await readJson(ctx, claimBody));
  });
  router.post('/tasks/meter', operation('meterTask'), async (ctx) => {
    await service.meter(ctx.state.claims, await readJson(ctx, meterBody));
    ctx.status = 204;
  });
  router.post('/tasks/inputs', operation('signInputs'), async (ctx) => {
    ctx.body = await service.signInputs(ctx.state.claims, await readJson(ctx, inputUrlsBody));
  });
  router.post('/tasks/upload-urls', operation('signUploads'), async (ctx) => {
    ctx.body = await service.signUploads(ctx.state.claims, await readJson(ctx, uploadUrlsBody));
  });
  router.post('/tasks/checkpoints', operation('keepCheckpoint'), async (ctx) => {
    await service.keepCheckpoint(ctx.state.claims, await readJson(ctx, checkpointBody));
    ctx.status = 204;
  });
  router.post('/payloads/open', operation('openPayloads'), async (ctx) => {
    const message = await readJson(ctx, payloadsBody, PAYLOADS_BYTES);
    ctx.body = await service.openPayloads(ctx.state.claims, message);
  });
  router.post('/payloads/seal', operation('sealPayloads'), async (ctx) => {
    const message = await readJson(ctx, payloadsBody, PAYLOADS_BYTES);
    ctx.body = await service.sealPayloads(ctx.state.claims, message);
  });
  router.post('/contact', operation('contact'), async (ctx) => {
    ctx.body = await service.contact(ctx.state.claims, await readJson(ctx, contactBody));
  });
  router.post('/tasks/:kind/:ordinal/log', operation('storeLog'), async (ctx) => {
    const chunk = check(logTarget, { ...ctx.params, ...ctx.query });
    nameToLog(ctx, tasksIn(chunk));
    const bytes = await rawBody(ctx.req, {
      limit: LOG_CHUNK_BYTES,
      length: ctx.get('Content-Length') || null,
    });
    await service.storeLog(ctx.state.claims, chunk, bytes);
    ctx.status = 204;
  });
  return router;
}

async function readJson<T>(ctx: Context, schema: Joi.ObjectSchema<T>, limit = JSON_LIMIT_BYTES): Promise<T> {
  if (!ctx.is('application/json')) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON.');
  const bytes = await rawBody(ctx.req, {
    limit,
    length: ctx.get('Content-Length') || null,
  });
  if (excessOf(bytes, JSON_BOUNDS) !== null)
    throw new AppError('VALIDATION_ERROR', 'The body has more values, or more levels, than any call.');
  let value: unknown;
  try {
    value = parse(bytes.toString('utf8'));
  } catch {
    throw new AppError('VALIDATION_ERROR', 'The body is not JSON, or names a forbidden property.');
  }
  const checked = check(schema, value);
  nameToLog(ctx, tasksIn(checked));
  return checked;
}

/** The tasks that a message of an instance is about; whose they are, the bearer says. */
function tasksIn(message: unknown): LogFields {
  const { execution, kind, ordinal, ordinals, taskCount } = workIdsOf(message);
  return { execution, kind, ordinal, ordinals, taskCount };
}

function check<T>(schema: Joi.ObjectSchema<T>, value: unknown): T {
  const result = schema.validate(value, { abortEarly: false });
  if (result.error) {
    const faults = result.error.details.slice(0, SHOWN_FAULTS).map(({ message }) => message);
    throw new AppError('VALIDATION_ERROR', faults.join('; '));
  }
  return result.value;
}
