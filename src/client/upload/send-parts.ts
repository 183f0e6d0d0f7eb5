/**
 * Brings the parts of one file into the store: reads them in order, sends those that the service does not have, several at once,
 * and tells which part is stored as what. Reading runs ahead as far as the buffers of the reader allow. The first part that fails
 * for good ends all others; its error is thrown when nothing is under way any more.
 *
 * A part is sent until it is stored. The remedy for a failed attempt depends on the failure: an ended address is replaced, a busy
 * or broken way is waited out with fewer parts at once, damaged bytes are sent again, and any other failure ends the upload. A
 * part gives up only when for as many attempts as the client makes no part got through.
 */
import { ClientError } from '../errors.ts';
import { pause, pauseMs } from '../retry.ts';
import type { Journal } from './journal.ts';
import type { Meter } from './meter.ts';
import { createMinter } from './minter.ts';
import type { Minter } from './minter.ts';
import type { Transfer } from './options.ts';
import type { Pace } from './pace.ts';
import type { PartReader, ReadPart } from './part-reader.ts';
import { remedyOf } from './remedy.ts';
import type { PutAnswer } from './put.ts';
import type { OpenUpload } from './resume.ts';

/** The way on which the parts of one file travel. */
export interface PartsWay extends Pick<Transfer, 'api' | 'putter' | 'signal'> {
  /** Null: nothing is kept for a later attempt. */
  readonly journal: Journal | null;
  readonly meter: Meter;
  readonly pace: Pace;
}

/** A part that is stored. */
export interface SentPart {
  readonly number: number;
  readonly byteLength: number;
  readonly sha256: Buffer;
  readonly etag: string | null;
  /** By this attempt; else an earlier one had stored it. */
  readonly wasSent: boolean;
  /** Whether what is stored is known to be what was read. */
  readonly isKnown: boolean;
}

/** How often a part's address may be refused in a row; behind more refusals is a cause that stays, such as a wrong clock. */
const MOST_MINTS = 3;
/** How often a part's bytes may arrive damaged; behind more of that is a fault of this machine. */
const MOST_REPEATS = 3;

/** Brings every part into the store. @returns the parts in order. */
export function sendParts(
  way: PartsWay,
  upload: OpenUpload,
  reader: PartReader,
): Promise<readonly SentPart[]> {
  return new PartsTransfer(way, upload).run(reader);
}

class PartsTransfer {
  readonly #way: PartsWay;
  readonly #upload: OpenUpload;
  readonly #minter: Minter;
  /** Ends every part that is under way, and the questions for addresses. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #stored: SentPart[] = [];
  readonly #failures: unknown[] = [];
  #arrivals = 0;

  constructor(way: PartsWay, upload: OpenUpload) {
    this.#way = way;
    this.#upload = upload;
    const signal = AbortSignal.any([way.signal, this.#stop.signal]);
    this.#signal = signal;
    this.#minter = createMinter(
      (request) => way.api.partUrls(upload.uploadId, request, { signal }),
      upload.minted,
      { partCount: upload.partCount, isWanted: (part) => !upload.received.has(part) },
    );
  }

  async run(reader: PartReader): Promise<readonly SentPart[]> {
    const underWay = new Set<Promise<void>>();
    try {
      for await (const part of reader.parts()) {
        const work = this.#take(part).finally(() => {
          part.release();
          underWay.delete(work);
        });
        underWay.add(work);
        if (this.#signal.aborted) break;
      }
    } catch (error) {
      this.#fail(error);
    }
    await Promise.all(underWay);
    this.#way.signal.throwIfAborted();
    if (this.#failures.length > 0) throw this.#failures[0];
    return this.#stored.sort((one, other) => one.number - other.number);
  }

  #fail(error: unknown): void {
    this.#failures.push(error);
    this.#stop.abort();
  }

  async #take(part: ReadPart): Promise<void> {
    try {
      const { meter } = this.#way;
      const { number, sha256, body } = part;
      const kept = keptAnswer(this.#upload, part);
      const wasSent = kept === null && !this.#upload.isEnded;
      const answer = wasSent ? await this.#bring(part) : kept;
      if (wasSent) meter.partDone();
      else meter.partKept(body.byteLength);
      const etag = answer === null ? (this.#upload.received.get(number)?.etag ?? null) : answer.etag;
      const isKnown = answer !== null;
      this.#stored.push({ number, sha256, byteLength: body.byteLength, etag, wasSent, isKnown });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Sends a part, and has the journal know the part before and afterwards. */
  async #bring(part: ReadPart): Promise<PutAnswer> {
    const { journal } = this.#way;
    await journal?.partRead(part.number, part.sha256.toString('hex'));
    const answer = await this.#send(part);
    await journal?.partStored(part.number, answer.etag);
    return answer;
  }

  async #send(part: ReadPart): Promise<PutAnswer> {
    const { retry } = this.#way.api;
    const checksum = this.#upload.isChecked ? part.sha256.toString('base64') : null;
    const tries = { wait: 0, mint: 0, repeat: 0 };
    for (let isFresh = false, seen = this.#arrivals; ; isFresh = true) {
      this.#signal.throwIfAborted();
      const target = await this.#minter.target(part.number, checksum, isFresh);
      try {
        const { meter, pace, putter } = this.#way;
        const answer = await pace.run(() =>
          putter.put(target, part.body, this.#signal, (bytes) => meter.sent(bytes)),
        );
        this.#arrivals += 1;
        return answer;
      } catch (error) {
        this.#signal.throwIfAborted();
        const remedy = remedyOf(error);
        if (remedy === 'give-up') throw error;
        // While other parts get through the store is there, so the waits of this part are counted anew.
        if (this.#arrivals > seen) tries.wait = 0;
        seen = this.#arrivals;
        tries[remedy] += 1;
        if (tries.wait >= retry.attempts || tries.mint > MOST_MINTS || tries.repeat > MOST_REPEATS)
          throw error;
        const asked = error instanceof ClientError ? error.retryAfterSeconds : null;
        if (remedy !== 'mint') await pause(pauseMs(retry, Math.max(1, tries.wait), asked), this.#signal);
      }
    }
  }
}

/**
 * A part that was sent before, when the bytes that are read now are the bytes that were sent then. Of a part that was
 * under way when the process ended nobody knows whether it arrived whole: the ETag tells, where the ETag is the MD5 of
 * what the store has.
 */
function keptAnswer(upload: OpenUpload, part: ReadPart): PutAnswer | null {
  const received = upload.received.get(part.number);
  if (received === undefined || received.sha256 !== part.sha256.toString('hex')) return null;
  const { etag, isProven } = received;
  return isProven || (etag !== null && etag.replaceAll('"', '') === part.md5()) ? { etag } : null;
}
