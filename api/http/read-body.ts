/** Reads the body of a request within its limit, checks its media type, and has it parsed and validated. */
import type { IncomingMessage } from 'node:http';

import getRawBody from 'raw-body';

import { AppError } from '../../src/domain/errors.ts';
import type { BodyParser } from './body-parser.ts';
import type { Context, Middleware } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import { SMALL_BODY_BYTES } from './endpoint.ts';
import { networkOf } from './networks.ts';
import { fingerprintOf } from './parse-body.ts';

const MEDIA_TYPE = /^application\/json *(?:; *charset="?utf-8"? *)?;?$/i;
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 10_000;

function requireJson(context: Context): void {
  const encoding = context.get('Content-Encoding').trim().toLowerCase();
  if (encoding !== '' && encoding !== 'identity') {
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `A body with Content-Encoding ${encoding.slice(0, 40)} is not accepted. Send it as it is.`,
    );
  }
  if (MEDIA_TYPE.test(context.get('Content-Type').trim())) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON with Content-Type: application/json.');
}

/** Reads the rest of a refused body for a while and drops it, because many clients read no answer before they have sent all. */
async function drain(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = 0;
    const finish = (drained: boolean): void => {
      clearTimeout(timer);
      request.removeAllListeners('data');
      resolve(drained);
    };
    const timer = setTimeout(finish, DRAIN_MS, false);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > DRAIN_BYTES) finish(false);
    });
    request.once('end', () => finish(true));
    request.once('close', () => finish(false));
    request.resume();
  });
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

/** How long a body may bring nothing; a client that is alive sends something every second. */
const BODY_IDLE_MS = 20_000;

/** Fails when nothing of a body has come for a while; the connection ends with the answer. */
function failWhenIdle(
  context: Context,
  idleMs: number,
): { readonly idle: Promise<never>; readonly end: () => void } {
  let end = (): void => undefined;
  const idle = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => {
      context.set('Connection', 'close');
      reject(new AppError('REQUEST_TIMEOUT', 'The body of the request stopped coming. Repeat the request.'));
    }, idleMs);
    const again = (): void => void timer.refresh();
    context.req.on('data', again);
    end = () => {
      clearTimeout(timer);
      context.req.off('data', again);
    };
  });
  return { idle, end };
}

/** Lets a client that asked first (Expect: 100-continue) send its body, or refuses the body while nothing of it is on its way. */
function admitBody(context: Context, limitBytes: number): void {
  if (context.get('Expect') === '') return;
  if (Number(context.get('Content-Length')) > limitBytes) throw tooLarge(limitBytes);
  context.res.writeContinue();
}

function tooLarge(limitBytes: number): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    `The request body is larger than ${limitBytes} bytes, the most that is accepted here.`,
  );
}

async function readBytes(context: Context, limitBytes: number, idleMs: number): Promise<Buffer> {
  admitBody(context, limitBytes);
  const whole = getRawBody(context.req, {
    limit: limitBytes,
    length: context.get('Content-Length') || null,
  });
  // A body that is given up ends with an error that nobody waits for.
  whole.catch(() => undefined);
  const { idle, end } = failWhenIdle(context, idleMs);
  try {
    return await Promise.race([whole, idle]).finally(end);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (!isTooLarge(error))
      throw new AppError('VALIDATION_ERROR', 'The request body ended before its announced length.', {
        cause: error,
      });
    if (!(await drain(context.req))) context.set('Connection', 'close');
    throw tooLarge(limitBytes);
  }
}

/** @throws UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, VALIDATION_ERROR. */
export function readBody(endpoint: Endpoint, parser: BodyParser, idleMs = BODY_IDLE_MS): Middleware {
  const { body, bodyLimitBytes = SMALL_BODY_BYTES, bodyOptional = false } = endpoint;
  if (body === undefined) return (_context, next) => next();
  return async (context, next) => {
    const announced =
      context.get('Content-Length') !== '0' &&
      (context.get('Content-Length') !== '' || context.get('Transfer-Encoding') !== '');
    if (announced || !bodyOptional) requireJson(context);
    const bytes = announced ? await readBytes(context, bodyLimitBytes, idleMs) : Buffer.alloc(0);
    if (bytes.byteLength === 0 && bodyOptional) {
      Object.assign(context.state, { body: {}, fingerprint: fingerprintOf({}) });
    } else {
      const { actor } = context.state;
      const caller = actor?.accountId ?? networkOf(context.ip);
      const parsed = await parser.parse(caller, { ...endpoint, body }, bytes);
      if (!parsed.ok) throw new AppError(parsed.code, parsed.message);
      Object.assign(context.state, { body: parsed.value, fingerprint: parsed.fingerprint });
    }
    await next();
  };
}

/** Hands over the bytes of a body as they came, of any media type. @throws PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, VALIDATION_ERROR. */
export function readRawBody(
  { bodyLimitBytes = SMALL_BODY_BYTES }: Endpoint,
  idleMs = BODY_IDLE_MS,
): Middleware {
  return async (context, next) => {
    Object.assign(context.state, { body: await readBytes(context, bodyLimitBytes, idleMs) });
    await next();
  };
}
