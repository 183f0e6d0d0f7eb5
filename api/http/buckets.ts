/**
 * Token buckets, and where they are kept. A bucket holds as many tokens as its quota, and fills evenly over a minute.
 *
 * The buckets of one process are bounded in number, and nobody can make the process forget the bucket of somebody else: a
 * bucket is forgotten only once it is full again, which is what a new bucket is, too. When there is no room, the names that
 * have no bucket share one. Names of addresses, which anybody may have many of, and names of callers, whom we know, are
 * kept apart. A bucket is full again a minute after its last token at the latest, so to fill the room somebody would
 * have to empty the buckets of 200,000 networks within a minute. Time is monotonic.
 */

/** Buckets of addresses and those of callers do not share their room. */
export type BucketSpace = 'addresses' | 'callers';

/** A bucket by its name, with the number of tokens that it holds and that it gets in a minute. */
export interface Bucket {
  readonly space: BucketSpace;
  readonly name: string;
  readonly quota: number;
}

/** What became of a token that was asked for, and the tokens that are left. */
export interface BucketReading {
  readonly isTaken: boolean;
  readonly tokens: number;
}

/** Where buckets are kept: in the process, or in a store that several processes share. */
export interface BucketStore {
  /** Takes a token where there is one. */
  take(bucket: Bucket): Promise<BucketReading>;
  /** Puts a token back that was taken; a bucket never holds more than its quota. */
  giveBack(bucket: Bucket): Promise<void>;
}

/** The room for buckets, and the clock that fills them; tests set both. */
export interface ProcessBucketOptions {
  /** Monotonic time in milliseconds. */
  readonly now?: () => number;
  readonly maxBuckets?: number;
}

/** The time in which an empty bucket becomes full. */
export const WINDOW_MS = 60_000;
const MAX_BUCKETS = 200_000;
/** How often full buckets are looked for at most while there is no room. */
const SWEEP_MS = 1_000;
/** The name of the bucket that is shared when there is no room; no caller has an empty name. */
const SHARED = '';

interface Level {
  readonly tokens: number;
  readonly at: number;
  readonly fullAt: number;
}

/** Makes the store of one process. */
export function createProcessBuckets(options: ProcessBucketOptions = {}): BucketStore {
  const now = options.now ?? (() => performance.now());
  const max = options.maxBuckets ?? MAX_BUCKETS;
  const spaces = { addresses: new Levels(max), callers: new Levels(max) };
  return {
    async take({ space, name, quota }) {
      const at = now();
      return spaces[space].change(name, quota, at, (tokens) => (tokens >= 1 ? tokens - 1 : null));
    },
    async giveBack({ space, name, quota }) {
      const at = now();
      spaces[space].change(name, quota, at, (tokens) => Math.min(quota, tokens + 1));
    },
  };
}

/** The levels of all buckets of one space. */
class Levels {
  readonly #levels = new Map<string, Level>();
  readonly #max: number;
  #sweptAt = -Infinity;

  constructor(max: number) {
    this.#max = max;
  }

  /** Changes the level of a bucket as it is now; with null the level stays, and no token was taken. */
  change(name: string, quota: number, at: number, next: (tokens: number) => number | null): BucketReading {
    const kept = this.#place(name, at);
    const perMs = quota / WINDOW_MS;
    const before = this.#levels.get(kept) ?? { tokens: quota, at };
    const filled = Math.min(quota, before.tokens + (at - before.at) * perMs);
    const changed = next(filled);
    const tokens = changed ?? filled;
    this.#levels.set(kept, { tokens, at, fullAt: at + (quota - tokens) / perMs });
    return { isTaken: changed !== null, tokens };
  }

  /** The name under which a bucket is kept. */
  #place(name: string, at: number): string {
    if (this.#levels.has(name) || this.#levels.size < this.#max) return name;
    if (at - this.#sweptAt >= SWEEP_MS) {
      this.#sweptAt = at;
      for (const [each, { fullAt }] of this.#levels) if (fullAt <= at) this.#levels.delete(each);
      if (this.#levels.size < this.#max) return name;
    }
    return SHARED;
  }
}
