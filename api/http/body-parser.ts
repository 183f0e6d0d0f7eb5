/**
 * Parses small bodies at once and large bodies in worker threads, so that other requests go on meanwhile. Large bodies are
 * measured before they wait for their turn, so what no request has is refused without a thread.
 */
import { setImmediate } from 'node:timers/promises';

import { Piscina } from 'piscina';

import { AppError } from '../../src/domain/errors.ts';
import type { JsonExcess } from '../../src/domain/json-bounds.ts';
import { createJsonMeter } from '../../src/domain/json-bounds.ts';
import { createBodyTurns } from './body-turns.ts';
import type { BodyResult, BodyTask } from './body-worker.ts';
import type { Endpoint } from './endpoint.ts';
import { joinBody } from './library-slices.ts';
import type { BodyForm, ParsedBody } from './parse-body.ts';
import { BODY_BOUNDS, parseBody, refuseExcess } from './parse-body.ts';

/** Bodies above this size go to a worker thread; parsing a body of this size takes some milliseconds. */
const LARGE_BYTES = 16 * 1024;
/** How much of a body is measured before other requests are served. */
const MEASURED_AT_ONCE = 256 * 1024;
/** A value takes as long to parse and to validate as so many bytes of a long text. */
const BYTES_OF_A_VALUE = 128;
/** Two threads: one account has one of them, and the other is there for whoever comes. */
const THREADS = 2;
const MAX_WAITING = 256;
/** Most bytes of all bodies that wait for a thread together: sixteen bodies of the largest size. */
const MAX_WAITING_BYTES = 512 * 1024 * 1024;

/** How many threads parse large bodies, and how many bodies may wait for one. */
export interface BodyParserOptions {
  readonly maxThreads?: number;
  readonly maxQueue?: number;
}

/** Parses bodies against the schema of their endpoint. */
export interface BodyParser {
  /** The caller is who takes turns with others: an account, or a network. The bytes of a large body are taken and must not be used afterwards. */
  parse(caller: string, endpoint: Endpoint & BodyForm, bytes: Buffer): Promise<ParsedBody>;
  close(): Promise<void>;
}

/** A thread runs out of its memory when a body has millions of values; the process itself is not harmed. */
function refuseOutOfMemory(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    throw new AppError('PAYLOAD_TOO_LARGE', 'The request body has too many values.', { cause: error });
  }
  throw error;
}

/** A body in a buffer of its own, which can be moved to the thread; a body that came in pieces has one. */
function detachable(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) return new Uint8Array(buffer);
  const copy = new Uint8Array(bytes.byteLength);
  copy.set(bytes);
  return copy;
}

/** A large body that is within the bounds. */
interface Measured {
  /** The cost in bytes of a long text. */
  readonly cost: number;
  readonly members: number;
}

/** Measures a large body, or finds the bound that it exceeds; other requests are served meanwhile. */
async function measure(bytes: Buffer): Promise<Measured | JsonExcess> {
  const meter = createJsonMeter(BODY_BOUNDS);
  for (let at = 0; at < bytes.byteLength; at += MEASURED_AT_ONCE) {
    const excess = meter.read(bytes.subarray(at, at + MEASURED_AT_ONCE));
    if (excess !== null) return excess;
    await setImmediate();
  }
  return { cost: bytes.byteLength + meter.values() * BYTES_OF_A_VALUE, members: meter.members() };
}

/** Makes the parser of one process; its threads start with large bodies and end when they are idle. */
export function createBodyParser(options: BodyParserOptions = {}): BodyParser {
  const { maxThreads: threads = THREADS, maxQueue: maxWaiting = MAX_WAITING } = options;
  const turns = createBodyTurns({ threads, maxWaiting, maxWaitingBytes: MAX_WAITING_BYTES });
  const pool = new Piscina<BodyTask, BodyResult>({
    filename: new URL('./body-worker.ts', import.meta.url).href,
    name: 'parseLargeBody',
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 24 },
  });
  return {
    async parse(caller, endpoint, bytes) {
      if (bytes.byteLength <= LARGE_BYTES) return parseBody(bytes, endpoint);
      const measured = await measure(bytes);
      if (typeof measured === 'string') return refuseExcess(measured);
      const { cost, members } = measured;
      const result = await turns.run({ caller, bytes: bytes.byteLength, cost }, () => {
        const moved = detachable(bytes);
        const task = { operationId: endpoint.operationId, bytes: moved, members };
        return pool.run(task, { transferList: [moved.buffer] }).catch(refuseOutOfMemory);
      });
      return 'sliced' in result
        ? { ok: true, fingerprint: result.fingerprint, value: await joinBody(result.sliced) }
        : result;
    },
    async close() {
      await pool.destroy();
    },
  };
}
