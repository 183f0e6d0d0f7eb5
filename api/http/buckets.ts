/**
 * The buckets of one process. The buckets are bounded in number, and nobody can make the process forget the bucket of somebody
 * else: a bucket is forgotten only once it is full again, which is what a new bucket is, too. When there is no room, the
 * names of a group that have no bucket share one. Names of addresses, which anybody may have many of, and names of callers,
 * whom we know, are kept apart. A bucket is full again a minute after its last token at the latest, so to fill the room
 * somebody would have to empty the buckets of 200,000 networks within a minute. Time is monotonic.
 */
import { WINDOW_MS } from '../../src/domain/buckets.ts';
import type { Bucket, BucketStore, TakenTokens } from '../../src/domain/buckets.ts';

/** The room for buckets, and the clock that fills them; tests set both. */
export interface ProcessBucketOptions {
  /** Monotonic time in milliseconds. */
  readonly now?: () => number;
  readonly maxBuckets?: number;
}

/** The store of one process, which can also remember what a shared store said last. */
export interface ProcessBuckets extends BucketStore {
  take(buckets: readonly Bucket[], count: 0 | 1): TakenTokens;
  now(): number;
  /** Remembers the level that a shared store gave a bucket at a time; `source` tells one shared store from the next. */
  note(bucket: Bucket, tokens: number, at: number, source: number): void;
  /** Most tokens that the bucket may have by what this process has counted; the quota where that source knows better. */
  ceiling(bucket: Bucket, source: number): number;
}

const MAX_BUCKETS = 200_000;
/** How often full buckets are looked for at most while there is no room. */
const SWEEP_MS = 1_000;
/** The source of levels that this process counted by itself. */
const OWN = -1;

interface Level {
  readonly tokens: number;
  readonly at: number;
  readonly fullAt: number;
  readonly source: number;
}

/** Makes the store of one process. */
export function createProcessBuckets(options: ProcessBucketOptions = {}): ProcessBuckets {
  const now = options.now ?? (() => performance.now());
  const max = options.maxBuckets ?? MAX_BUCKETS;
  const spaces = { addresses: new Levels(max), callers: new Levels(max) };
  const room = { spaces, now };
  return {
    now,
    take: (buckets, count) => takeFrom(buckets, count, room),
    note(bucket, tokens, at, source) {
      const levels = spaces[bucket.space];
      // Tokens counted here since the store was asked are told to the store by the next call.
      if (levels.isCountedSince(bucket.name, at)) return;
      if (levels.hasRoomFor(bucket, at)) levels.set(bucket.name, bucket.quota, tokens, at, source);
    },
    ceiling(bucket, source) {
      const levels = spaces[bucket.space];
      return levels.sourceOf(bucket.name) === source
        ? bucket.quota
        : levels.filled(bucket.name, bucket.quota, now());
    },
  };
}

interface Room {
  readonly spaces: Readonly<Record<Bucket['space'], Levels>>;
  readonly now: () => number;
}

function takeFrom(buckets: readonly Bucket[], count: number, { spaces, now }: Room): TakenTokens {
  const at = now();
  // Every request comes here, so nothing is made that is not kept.
  const kept = buckets.map((bucket) => spaces[bucket.space].place(bucket, at));
  const tokens = buckets.map(({ space, quota }, index) => spaces[space].filled(kept[index] ?? '', quota, at));
  const isTaken = tokens.every((each) => each >= count);
  const taken = isTaken ? count : 0;
  if (taken > 0)
    for (const [index, { space, quota }] of buckets.entries()) {
      const left = (tokens[index] ?? 0) - taken;
      tokens[index] = left;
      spaces[space].set(kept[index] ?? '', quota, left, at, OWN);
    }
  let isBack = taken === 0;
  return {
    isTaken,
    tokens,
    async giveBack() {
      if (isBack) return;
      isBack = true;
      for (const [index, { space, quota }] of buckets.entries())
        spaces[space].add(kept[index] ?? '', quota, taken, now());
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

  /** The tokens that a bucket has by now; a bucket that is not kept is full. */
  filled(kept: string, quota: number, at: number): number {
    const level = this.#levels.get(kept);
    if (level === undefined) return quota;
    return Math.min(quota, level.tokens + (Math.max(0, at - level.at) * quota) / WINDOW_MS);
  }

  sourceOf(kept: string): number | undefined {
    return this.#levels.get(kept)?.source;
  }

  /** Whether this process has counted a request by itself after a time. */
  isCountedSince(kept: string, at: number): boolean {
    const level = this.#levels.get(kept);
    return level !== undefined && level.source === OWN && level.at > at;
  }

  set(kept: string, quota: number, tokens: number, at: number, source: number): void {
    this.#levels.set(kept, { tokens, at, source, fullAt: at + ((quota - tokens) * WINDOW_MS) / quota });
  }

  /** Puts tokens back into a bucket that is kept; a bucket that was forgotten meanwhile is full without them. */
  add(kept: string, quota: number, count: number, at: number): void {
    if (!this.#levels.has(kept)) return;
    this.set(kept, quota, Math.min(quota, this.filled(kept, quota, at) + count), at, OWN);
  }

  /** The name under which a bucket is kept: its own, or that of its group when there is no room. */
  place(bucket: Pick<Bucket, 'name' | 'group'>, at: number): string {
    // No bucket of its own has a name that begins with a space.
    return this.hasRoomFor(bucket, at) ? bucket.name : ` ${bucket.group}`;
  }

  hasRoomFor({ name }: Pick<Bucket, 'name'>, at: number): boolean {
    if (this.#levels.has(name) || this.#levels.size < this.#max) return true;
    if (at - this.#sweptAt < SWEEP_MS) return false;
    this.#sweptAt = at;
    for (const [each, { fullAt }] of this.#levels) if (fullAt <= at) this.#levels.delete(each);
    return this.#levels.size < this.#max;
  }
}
