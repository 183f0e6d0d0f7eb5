/**
 * Deposited structures over HTTP: `{base}/{ID}.cif`, as the wwPDB's file services answer it. A response is checked
 * before it counts: bounded in size and time, mmCIF, and of the entry that was asked for. A failure that may pass is
 * tried again; after the last try the answer is final.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';
import { Agent, fetch } from 'undici';
import type { Response } from 'undici';

import { backOff } from '../../domain/back-off.ts';
import type { StructureFetch, StructureSource } from './structures.ts';

/** Archive of the structures, and the patience with it. */
export interface HttpStructuresOptions {
  /** Address of the folder of `{ID}.cif` files. */
  readonly baseUrl: string;
  readonly log: Pick<Logger, 'warn'>;
  readonly maxBytes?: number;
  /** How often an entry is asked for in all. */
  readonly attempts?: number;
  /** The time that one try may take, and the time that a try may go without a byte. */
  readonly attemptSeconds?: number;
  readonly idleSeconds?: number;
  /** Wait before the second try; doubled for each further one. */
  readonly backOffSeconds?: number;
}

type Limits = Required<Omit<HttpStructuresOptions, 'baseUrl' | 'log'>>;

const DEFAULTS: Limits = {
  maxBytes: 256 * 1024 * 1024,
  attempts: 4,
  attemptSeconds: 60,
  idleSeconds: 15,
  backOffSeconds: 0.5,
};
const MEDIA_TYPE = 'chemical/x-mmcif';
const HEAD_BYTES = 64 * 1024;
/** The answers with which the archive says that there is no such entry, or no longer one. */
const ABSENT = [404, 410];

/**
 * The dispatcher is named at each call: Node's own dispatcher ends the whole process when a server closes the
 * connection while the reader is slower than the server (undici issue 5360).
 */
const dispatcher = new Agent({ keepAliveTimeout: 1000 });

/** Why a try failed, and whether another one may succeed. */
class TryError extends Error {
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean, cause?: unknown) {
    super(message, { cause });
    this.isPassing = isPassing;
  }
}

/** Makes the source of structures. */
export function createHttpStructures(options: HttpStructuresOptions): StructureSource {
  const { baseUrl, log, ...limits } = options;
  const bounds: Limits = { ...DEFAULTS, ...limits };
  const base = baseUrl.replace(/\/+$/, '');
  return {
    async fetch(pdbId) {
      const id = pdbId.toUpperCase();
      const url = `${base}/${encodeURIComponent(id)}.cif`;
      let reason = '';
      const waitsMs = backOff(bounds.backOffSeconds * 1000, Number.POSITIVE_INFINITY);
      for (let attempt = 1; attempt <= bounds.attempts; attempt += 1) {
        if (attempt > 1) await sleep(waitsMs.next().value * (0.75 + Math.random() / 2));
        try {
          return await fetchOnce(id, url, bounds);
        } catch (error) {
          if (!(error instanceof TryError)) throw error;
          // The entry would tell the subject of the customer's work, so the line does not name it.
          log.warn({ err: error, archive: base, attempt }, 'a structure could not be fetched');
          reason = error.message;
          if (!error.isPassing) break;
        }
      }
      return {
        ok: false,
        reason: 'unreachable',
        message: `The entry ${id} could not be fetched: ${reason}. Submit again later, or upload the file.`,
      };
    },
  };
}

async function fetchOnce(id: string, url: string, bounds: Limits): Promise<StructureFetch> {
  const stop = new AbortController();
  const deadline = setTimeout(() => stop.abort(), bounds.attemptSeconds * 1000);
  try {
    const answer = await fetch(url, { signal: stop.signal, dispatcher });
    if (!answer.ok) {
      await answer.body?.cancel();
      if (ABSENT.includes(answer.status)) return absent(id);
      const isPassing = answer.status >= 500 || answer.status === 429 || answer.status === 408;
      throw new TryError(`the archive answered ${answer.status}`, isPassing);
    }
    const body = await readBounded(answer, bounds, stop);
    checkEntry(id, body);
    return { ok: true, body, format: 'mmcif', mediaType: MEDIA_TYPE, sourceUrl: url };
  } catch (error) {
    if (error instanceof TryError) throw error;
    const text = stop.signal.aborted ? 'the archive took too long' : 'the archive cannot be reached';
    throw new TryError(text, true, error);
  } finally {
    clearTimeout(deadline);
  }
}

/** The body in memory; the reading ends when the archive stops sending or sends too much. */
async function readBounded(answer: Response, bounds: Limits, stop: AbortController): Promise<Uint8Array> {
  const tooLarge = (): TryError => new TryError(`the file is larger than ${bounds.maxBytes} bytes`, false);
  if (Number(answer.headers.get('content-length') ?? 0) > bounds.maxBytes) {
    stop.abort();
    throw tooLarge();
  }
  if (answer.body === null) return new Uint8Array();
  const stream: AsyncIterable<Uint8Array> = answer.body;
  const idle = setTimeout(() => stop.abort(), bounds.idleSeconds * 1000);
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  try {
    for await (const chunk of stream) {
      idle.refresh();
      byteCount += chunk.byteLength;
      if (byteCount > bounds.maxBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(idle);
  }
  return Buffer.concat(chunks, byteCount);
}

/** Refuses an error page with status 200, another entry, and a file that was cut off. @throws TryError. */
function checkEntry(id: string, body: Uint8Array): void {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const head = bytes.subarray(0, HEAD_BYTES).toString('latin1');
  const block = /^data_(\S*)/m.exec(head)?.[1];
  if (block === undefined) throw new TryError('what the archive sent is no mmCIF file', true);
  if (block.toUpperCase() !== id)
    throw new TryError(`the archive sent the entry ${block.slice(0, 16)}`, true);
  if (!bytes.includes('_atom_site.')) throw new TryError('what the archive sent holds no atoms', true);
}

function absent(id: string): StructureFetch {
  return {
    ok: false,
    reason: 'absent',
    message: `There is no entry ${id} in the archive, or not as an mmCIF file.`,
  };
}
