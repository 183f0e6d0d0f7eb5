/** The local host over HTTP on loopback: six calls, for a caller of the control side with the bearer token. */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import Router from '@koa/router';
import Joi from 'joi';
import Koa from 'koa';
import type { Context, Next } from 'koa';
import rawBody from 'raw-body';

import type { Containment } from '../contracts/containment.ts';
import type {
  GpuFacts,
  HostInstanceList,
  HostToolList,
  InterruptionRequest,
} from '../contracts/local-host.ts';
import { TRACE_HEADER } from '../contracts/tracing.ts';
import type { ToolReport } from '../domain/availability.ts';
import { AppError, envelopeOf } from '../domain/errors.ts';
import { withLogFields } from '../tracing/log-context.ts';
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts';
import { workIdsOf } from '../tracing/work-ids.ts';
import type { ComputeHost } from './host.ts';
import { launchRequestSchema } from './launch-order.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
const LONGEST_NOTICE_SECONDS = 3600;

/** A local host that answers requests. */
export interface RunningHost {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts serving; port 0 takes a free one. */
export async function serveHost(
  host: ComputeHost,
  options: {
    readonly host: string;
    readonly port: number;
    readonly token: string;
    /** Finds the tools that this machine can run. */
    readonly tools: () => Promise<readonly ToolReport[]>;
    readonly containment: Containment;
    /** The GPUs of the machine, as far as they are known. */
    readonly gpus: () => readonly GpuFacts[];
    readonly onError: (error: unknown) => void;
    readonly tracing?: Tracing;
  },
): Promise<RunningHost> {
  const app = new Koa();
  app.silent = true;
  app.use(nameCalls(options.tracing ?? NO_TRACING));
  app.use(answerErrors(options.onError));
  app.use(async (ctx, next) => {
    if (ctx.path === '/healthz' || ctx.path === '/readyz') ctx.body = { ok: true };
    else await next();
  });
  app.use(authenticate(options.token));
  app.use(routes(host).routes());
  app.use(toolRoutes(options).routes());
  app.use(() => {
    throw new AppError('NOT_FOUND', 'There is no such path.');
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: portOf(server.address()),
    async close() {
      server.closeIdleConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function routes(host: ComputeHost): Router {
  const router = new Router({ prefix: '/v1/instances' });
  router.post('/', async (ctx) => {
    const launch = await readBody(ctx, launchRequestSchema);
    const { jobId, slot, generation } = workIdsOf(launch);
    ctx.body = await withLogFields({ jobId, slot, generation }, () => host.ensure(launch));
  });
  router.get('/', (ctx) => {
    const answer: HostInstanceList = { instances: host.list() };
    ctx.body = answer;
  });
  router.get('/:token', async (ctx) => {
    ctx.body = await host.describe(tokenOf(ctx.params));
  });
  router.post('/:token/interruption', async (ctx) => {
    const { seconds } = await readBody(ctx, interruptionSchema);
    if (!(await host.interrupt(tokenOf(ctx.params), seconds)))
      throw new AppError('NOT_FOUND', 'No such instance runs.');
    ctx.status = 204;
  });
  router.delete('/:token', async (ctx) => {
    await host.terminate(tokenOf(ctx.params));
    ctx.status = 204;
  });
  return router;
}

function toolRoutes({
  tools,
  containment,
  gpus,
}: {
  readonly tools: () => Promise<readonly ToolReport[]>;
  readonly containment: Containment;
  readonly gpus: () => readonly GpuFacts[];
}): Router {
  const router = new Router({ prefix: '/v1/tools' });
  router.get('/', async (ctx) => {
    const answer: HostToolList = { containment, gpus: gpus(), tools: await tools() };
    ctx.body = answer;
  });
  return router;
}

function tokenOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const { token } = parameters;
  if (token === undefined || token === '') throw new AppError('NOT_FOUND', 'There is no such path.');
  return token;
}

const interruptionSchema = Joi.object<InterruptionRequest>({
  seconds: Joi.number().min(0).max(LONGEST_NOTICE_SECONDS).required(),
});

async function readBody<T>(ctx: Context, schema: Joi.ObjectSchema<T>): Promise<T> {
  const text = await rawBody(ctx.req, { limit: BODY_LIMIT_BYTES, encoding: 'utf-8' });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('VALIDATION_ERROR', 'The body is not JSON.');
  }
  const result = schema.validate(value, { abortEarly: false });
  if (result.error) {
    throw new AppError('VALIDATION_ERROR', result.error.details.map(({ message }) => message).join('; '));
  }
  return result.value;
}

function authenticate(expected: string) {
  return (ctx: Context, next: Next): Promise<void> => {
    const given = Buffer.from(ctx.get('Authorization'));
    const wanted = Buffer.from(`Bearer ${expected}`);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
      throw new AppError('UNAUTHORIZED', "This needs the compute host's token.");
    }
    return next();
  };
}

/** The lines of a call have an id of the call, and a call that says its trace has a span. */
function nameCalls(tracing: Tracing) {
  return (ctx: Context, next: Next): Promise<void> => {
    const requestId = randomUUID();
    ctx.set('X-Request-Id', requestId);
    const start = { name: ctx.method, kind: 'server', parent: ctx.get(TRACE_HEADER) || null } as const;
    return withLogFields({ requestId }, () => tracing.inSpan(start, next));
  };
}

function answerErrors(onError: (error: unknown) => void) {
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const known =
        error instanceof AppError
          ? error
          : new AppError('INTERNAL_ERROR', 'The compute host failed.', { cause: error });
      if (known.status >= 500) onError(error);
      ctx.status = known.status;
      ctx.body = envelopeOf(known);
    }
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('The compute host listens on no port.');
  return address.port;
}
