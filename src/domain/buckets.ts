/**
 * Token buckets. A bucket holds as many tokens as its quota, and fills evenly over a minute. Buckets are kept in a
 * process, or in a store that several processes share; both keep the same rules.
 */

/** The time in which an empty bucket becomes full. */
export const WINDOW_MS = 60_000;

/** Buckets of addresses and those of callers do not share their room. */
export type BucketSpace = 'addresses' | 'callers';

/** A bucket by its name, with the number of tokens that it holds and that it gets in a minute. */
export interface Bucket {
  readonly space: BucketSpace;
  readonly name: string;
  /** Buckets of one group have one quota; where a process has no room for another bucket, the rest of a group share one. */
  readonly group: string;
  readonly quota: number;
}

/** Answer to a call that asked for tokens: whether it got them, and the tokens left in each bucket. */
export interface BucketReading {
  readonly isTaken: boolean;
  readonly tokens: readonly number[];
}

/** Tokens that were taken, and how they are put back where they came from. */
export interface TakenTokens extends BucketReading {
  giveBack(): Promise<void>;
}

/** A store of buckets. It always answers, at once where it has nothing to wait for. */
export interface BucketStore {
  /** Takes this many tokens (0 only looks) from each bucket, or from none of them where one has fewer. */
  take(buckets: readonly Bucket[], count: 0 | 1): TakenTokens | Promise<TakenTokens>;
}

/** A bucket for a shared store, with the most tokens that it may have by what a process has counted by itself. */
export interface SharedBucket extends Bucket {
  readonly ceiling: number;
}

/** A shared store did not answer in time: it may be gone, or one answer was late. */
export class NoAnswerInTime extends Error {}

/** A store of buckets that several processes share, and that may not answer. */
export interface SharedBuckets {
  /** Changes with each connection: levels that an earlier connection told may be those of a server that has lost them. */
  source(): number;
  /** Takes this many tokens from each bucket, or from none of them; -1 puts one back. @throws NoAnswerInTime, and what the connection says. */
  change(buckets: readonly SharedBucket[], count: -1 | 0 | 1): Promise<BucketReading>;
  close(): void;
}
