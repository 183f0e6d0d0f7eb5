/** Parses small bodies at once and large bodies in a worker thread, so that other requests go on meanwhile. */
import type Joi from 'joi';
import { Piscina } from 'piscina';

import { AppError } from '../../src/domain/errors.ts';
import type { BodyResult, BodyTask } from './body-worker.ts';
import type { Endpoint } from './endpoint.ts';
import { joinBody } from './library-slices.ts';
import type { ParsedBody } from './parse-body.ts';
import { parseBody } from './parse-body.ts';

/** Bodies above this size go to a worker thread; parsing a body of this size takes some milliseconds. */
const LARGE_BYTES = 16 * 1024;
const BUSY_RETRY_SECONDS = 2;
const MAX_QUEUE = 256;
/** Most bytes of all bodies that wait for a thread together: sixteen bodies of the largest size. */
const MAX_WAITING_BYTES = 512 * 1024 * 1024;

/** How many threads parse large bodies, and how many bodies may wait for one. */
export interface BodyParserOptions {
  readonly maxThreads?: number;
  readonly maxQueue?: number;
}

/** Parses bodies against the schema of their endpoint. */
export interface BodyParser {
  parse(endpoint: Endpoint, schema: Joi.Schema, bytes: Buffer): Promise<ParsedBody>;
  close(): Promise<void>;
}

/** A thread runs out of its memory when a body has millions of values; the process itself is not harmed. */
function refuseOutOfMemory(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    throw new AppError('PAYLOAD_TOO_LARGE', 'The request body has too many values.', { cause: error });
  }
  throw error;
}

/** Copies a body to a buffer of its own, which can be moved to the thread without another copy. */
function detachable(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes.byteLength);
  copy.set(bytes);
  return copy;
}

/** Makes the parser of one process; its threads start with the first large body and end when they are idle. */
export function createBodyParser(options: BodyParserOptions = {}): BodyParser {
  const maxQueue = options.maxQueue ?? MAX_QUEUE;
  let waitingBytes = 0;
  const pool = new Piscina<BodyTask, BodyResult>({
    filename: new URL('./body-worker.ts', import.meta.url).href,
    name: 'parseLargeBody',
    minThreads: 0,
    maxThreads: options.maxThreads ?? 1,
    maxQueue,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 24 },
  });
  return {
    async parse(endpoint, schema, bytes) {
      if (bytes.byteLength <= LARGE_BYTES) return parseBody(bytes, schema);
      if (pool.queueSize >= maxQueue || waitingBytes > MAX_WAITING_BYTES) {
        throw new AppError(
          'SERVICE_UNAVAILABLE',
          'Too many large requests at the moment. Repeat this one shortly.',
          { retryAfterSeconds: BUSY_RETRY_SECONDS },
        );
      }
      const moved = detachable(bytes);
      const task = { operationId: endpoint.operationId, bytes: moved };
      waitingBytes += bytes.byteLength;
      const result = await pool
        .run(task, { transferList: [moved.buffer] })
        .catch(refuseOutOfMemory)
        .finally(() => {
          waitingBytes -= bytes.byteLength;
        });
      return result.ok
        ? { ok: true, fingerprint: result.fingerprint, value: await joinBody(result.sliced) }
        : result;
    },
    async close() {
      await pool.destroy();
    },
  };
}
