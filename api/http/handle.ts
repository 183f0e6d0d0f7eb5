/** The last steps: idempotency of writes, the handler, and the answer. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { finished } from 'node:stream';

import type { Logger } from 'pino';

import type { Actor } from '../../src/domain/access.ts';
import { isRecord } from '../../src/domain/is-record.ts';
import type { Services } from '../services.ts';
import type { Context, Middleware } from './context.ts';
import type { Answer, Endpoint, EndpointRequest, KeptAnswer } from './endpoint.ts';
import { json } from './endpoint.ts';
import { setHeader } from './headers.ts';
import { check } from './validation.ts';

type Request = EndpointRequest<unknown, unknown, unknown, Context['state']['actor']>;
/** The ways in which the API itself honours a key. */
type Honoured = Exclude<Endpoint['idempotency'], 'none' | 'service'>;

function requestOf(context: Context): Request {
  const { actor, params, query, body, fingerprint, idempotencyKey, receivedAt } = context.state;
  const { ip: address } = context;
  const came = { receivedAt, address };
  const headers = isSingle(context.headers) ? context.headers : joined(context.headers);
  return { actor, params, query, body, headers, fingerprint, idempotencyKey, resumedSince: null, ...came };
}

/** Whether no header is a list, as it is of nearly every request: Node joins all headers but a few into one text. */
function isSingle(headers: IncomingHttpHeaders): headers is Record<string, string | undefined> {
  for (const name in headers) if (Array.isArray(headers[name])) return false;
  return true;
}

function joined(headers: IncomingHttpHeaders): Record<string, string | undefined> {
  const pairs = Object.entries(headers);
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

/**
 * Answers a write once per key: a repeat gets the stored answer with Idempotency-Replayed. Only successes are stored: a
 * refusal gives the key free, because what was refused for want of room or credits is repeated with the same key once there
 * is room. When the answer cannot be stored it is sent all the same, because every effect behind a handler has a key of
 * its own and may be repeated.
 */
function answerOnce(
  endpoint: Endpoint,
  services: Services,
  context: Context,
  logger: Logger,
): Promise<Answer> {
  const request = requestOf(context);
  const { actor, idempotencyKey: key } = request;
  const { idempotency } = endpoint;
  if (idempotency === 'none' || idempotency === 'service' || key === null || actor === null)
    return endpoint.handle(services, request);
  return answerUnderKey({ ...endpoint, idempotency }, services, { context, request, actor, key, logger });
}

interface Keyed {
  readonly context: Context;
  readonly request: Request;
  readonly actor: Actor;
  readonly key: string;
  readonly logger: Logger;
}

async function answerUnderKey(
  endpoint: Endpoint & { readonly idempotency: Honoured },
  services: Services,
  { context, request, actor, key, logger }: Keyed,
): Promise<Answer> {
  const { idempotency } = endpoint;
  const { fingerprint } = request;
  const claimed = createHash('sha256').update(`${context.path}\n${fingerprint}`).digest('hex');
  const start = await services.idempotency.begin(actor, {
    operation: endpoint.operationId,
    key,
    fingerprint: claimed,
  });
  if (start.outcome === 'replay') {
    // An answer made anew is no replay: a price may be another one now.
    if (idempotency !== 'anew') context.set('Idempotency-Replayed', 'true');
    return replay(endpoint, services, request, start);
  }

  const finish = async (ending: Promise<void>): Promise<void> => {
    await ending.catch((error: unknown) => {
      logger.error(
        { requestId: context.state.requestId, operation: endpoint.operationId, err: error },
        'idempotency record not written',
      );
    });
  };
  const { reference, resumedSince } = start;
  let answer: Answer;
  let body: unknown;
  try {
    answer = await endpoint.handle(services, { ...request, resumedSince });
    body = keptOf(idempotency, answer.body);
  } catch (error) {
    await finish(services.idempotency.abandon(reference));
    throw error;
  }
  await finish(
    answer.status < 400
      ? services.idempotency.complete(reference, { status: answer.status, body })
      : services.idempotency.abandon(reference),
  );
  return answer;
}

/** Picks the part of an answer that is stored. */
function keptOf(idempotency: Honoured, body: unknown): unknown {
  if (idempotency === 'anew') return null;
  return idempotency === 'stored' ? body : idempotency.keep(body);
}

/** The answer to a repeated request. */
async function replay(
  endpoint: Endpoint & { readonly idempotency: Honoured },
  services: Services,
  request: Request,
  kept: KeptAnswer,
): Promise<Answer> {
  const { idempotency } = endpoint;
  if (idempotency === 'anew') return endpoint.handle(services, request);
  return idempotency === 'stored'
    ? json(kept.status, kept.body)
    : idempotency.restore(services, request, kept);
}

/** Checks an answer against the declaration of its endpoint; an answer that is not declared is a fault of the service. */
function proveAnswer(endpoint: Endpoint, answer: Answer): void {
  if (answer.status >= 400 && endpoint.answers[answer.status] === undefined) return;
  const declared = endpoint.answers[answer.status];
  if (declared === undefined)
    throw new Error(`${endpoint.operationId} answered ${answer.status}, which it does not declare`);
  // A streamed body is not there yet.
  if (answer.stream !== undefined) return;
  if (declared.schema === undefined) {
    if (answer.body !== undefined)
      throw new Error(`${endpoint.operationId} answered ${answer.status} with a body`);
    return;
  }
  // The check looks at the JSON that the client will see: undefined members vanish, and dates become text.
  const { body = null } = answer;
  const text = Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body);
  const checked = check(declared.schema, JSON.parse(text), false);
  if (!checked.ok)
    throw new Error(
      `${endpoint.operationId} answered ${answer.status} with a wrong body: ${checked.message}`,
    );
}

function write(context: Context, answer: Answer): void {
  const { afterwards } = answer;
  // The stream also tells of an answer whose client has gone before it was written.
  if (afterwards !== undefined) finished(context.res, () => afterwards());
  context.status = answer.status;
  if (answer.headers !== undefined) context.set({ ...answer.headers });
  if (answer.stream !== undefined) {
    context.body = answer.stream;
  } else if (answer.body !== undefined) {
    setHeader(context, 'Content-Type', 'application/json; charset=utf-8');
    context.body = answer.body;
  } else {
    context.body = null;
  }
  // Koa answers an empty body with 204, so the status is set after the body.
  context.status = answer.status;
  if (answer.headers?.['Content-Length'] !== undefined)
    context.set('Content-Length', answer.headers['Content-Length']);
}

/** The job that params or an answer are about; null for none. */
function jobIn(value: unknown): string | null {
  const jobId = isRecord(value) ? value['jobId'] : null;
  return typeof jobId === 'string' ? jobId : null;
}

/** Runs the handler and writes its answer. */
export function handle(
  endpoint: Endpoint,
  services: Services,
  logger: Logger,
  validateAnswers: boolean,
): Middleware {
  return async (context) => {
    const { state } = context;
    state.jobId = jobIn(state.params);
    const answer = await answerOnce(endpoint, services, context, logger);
    state.jobId ??= jobIn(answer.body);
    if (validateAnswers) proveAnswer(endpoint, answer);
    write(context, answer);
  };
}
