/**
 * Addresses of parts. The addresses that the start of the upload gave are used first; others are asked for in batches.
 * Parts that come up while a request is under way go into the next request, and where no digest is signed, a request asks
 * for the parts ahead too. An address is not used in the last minute of its life.
 */
import type { MultipartPartUrlsRequest, MultipartPartUrlsResponse } from '../types.ts';
import type { PutTarget } from './remedy.ts';

/** Gives the addresses of one upload's parts. */
export interface Minter {
  /** `checksumSha256`: base64, in checksum mode only; `isFresh` when the last address was refused. */
  target(part: number, checksumSha256: string | null, isFresh: boolean): Promise<PutTarget>;
}

/** Answer to the start of an upload. */
export interface MintedStart {
  readonly parts: readonly { readonly partNumber: number; readonly url: string }[];
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresIn: number;
}

interface Waiting {
  readonly part: number;
  readonly checksumSha256: string | null;
  readonly resolve: (target: PutTarget) => void;
  readonly reject: (reason: unknown) => void;
}

interface Kept {
  readonly target: PutTarget;
  readonly goodUntilMs: number;
}

const MOST_IN_A_REQUEST = 1000;
const AHEAD = 100;
const SPARE_SECONDS = 60;

/** Asks the service for addresses. */
type Ask = (request: MultipartPartUrlsRequest) => Promise<MultipartPartUrlsResponse>;

/** The parts of an upload. */
export interface MintedParts {
  readonly partCount: number;
  /** Whether a part is worth asking for ahead. */
  readonly isWanted: (part: number) => boolean;
}

/** Makes a minter. */
export function createMinter(
  ask: Ask,
  start: MintedStart | null,
  parts: MintedParts,
  now: () => number = () => performance.now(),
): Minter {
  return new BatchingMinter(ask, start, parts, now);
}

class BatchingMinter implements Minter {
  readonly #ask: Ask;
  readonly #parts: MintedParts;
  readonly #now: () => number;
  readonly #kept = new Map<number, Kept>();
  #queue: Waiting[] = [];
  #isAsking = false;

  constructor(ask: Ask, start: MintedStart | null, parts: MintedParts, now: () => number) {
    this.#ask = ask;
    this.#parts = parts;
    this.#now = now;
    if (start === null) return;
    for (const { partNumber, url } of start.parts)
      this.#keep(partNumber, { url, headers: start.headers }, start.expiresIn);
  }

  target(part: number, checksumSha256: string | null, isFresh: boolean): Promise<PutTarget> {
    const found = this.#kept.get(part);
    this.#kept.delete(part);
    if (found !== undefined && !isFresh && this.#now() < found.goodUntilMs)
      return Promise.resolve(found.target);
    return new Promise((resolve, reject) => {
      this.#queue.push({ part, checksumSha256, resolve, reject });
      if (!this.#isAsking) void this.#work();
    });
  }

  #keep(part: number, target: PutTarget, expiresIn: number): void {
    const goodSeconds = Math.max(expiresIn - SPARE_SECONDS, expiresIn / 2);
    this.#kept.set(part, { target, goodUntilMs: this.#now() + goodSeconds * 1000 });
  }

  async #work(): Promise<void> {
    this.#isAsking = true;
    // Parts that come up in the same turn of the event loop go into the same request.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, MOST_IN_A_REQUEST);
      this.#queue = this.#queue.slice(MOST_IN_A_REQUEST);
      await this.#answer(batch);
    }
    this.#isAsking = false;
  }

  async #answer(batch: readonly Waiting[]): Promise<void> {
    try {
      const { parts, expiresIn } = await this.#ask({ parts: this.#wished(batch) });
      for (const { partNumber, url, headers } of parts) this.#keep(partNumber, { url, headers }, expiresIn);
      for (const { part, resolve, reject } of batch) {
        const found = this.#kept.get(part);
        this.#kept.delete(part);
        if (found === undefined) reject(new Error(`The service gave no address for part ${part}.`));
        else resolve(found.target);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  #wished(batch: readonly Waiting[]): MultipartPartUrlsRequest['parts'] {
    const wished = batch.map(({ part, checksumSha256 }) => ({
      partNumber: part,
      ...(checksumSha256 === null ? {} : { checksumSha256 }),
    }));
    const last = batch.at(-1);
    if (last?.checksumSha256 !== null) return wished;
    const asked = new Set(batch.map(({ part }) => part));
    const { partCount, isWanted } = this.#parts;
    for (let part = last.part + 1; part <= partCount && wished.length < AHEAD; part += 1)
      if (isWanted(part) && !this.#kept.has(part) && !asked.has(part)) wished.push({ partNumber: part });
    return wished;
  }
}
