/**
 * How often a process takes bootstraps. A genuine credential has a limit of its own, so that one instance in a loop costs nobody else
 * anything; hundreds of instances that boot at once behind one address are no flood. Forged credentials cost a MAC and no statement, and
 * share one limit.
 */
import { LRUCache } from 'lru-cache';

import { AppError } from '../../../domain/errors.ts';

const GENUINE_A_MINUTE = 30;
const FORGED_A_MINUTE = 600;
const MINUTE_MS = 60_000;
const MOST_KNOWN = 20_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** The limits of one process. */
export class BootstrapLimits {
  readonly #genuine = new LRUCache<string, Bucket>({ max: MOST_KNOWN });
  readonly #forged: Bucket = { tokens: FORGED_A_MINUTE, at: performance.now() };

  /** @throws AppError RATE_LIMITED. */
  takeGenuine(launchToken: string): void {
    const bucket = this.#genuine.get(launchToken) ?? { tokens: GENUINE_A_MINUTE, at: performance.now() };
    this.#genuine.set(launchToken, bucket);
    take(bucket, GENUINE_A_MINUTE);
  }

  /** @throws AppError RATE_LIMITED. */
  takeForged(): void {
    take(this.#forged, FORGED_A_MINUTE);
  }
}

function take(bucket: Bucket, aMinute: number): void {
  const now = performance.now();
  bucket.tokens = Math.min(aMinute, bucket.tokens + ((now - bucket.at) * aMinute) / MINUTE_MS);
  bucket.at = now;
  if (bucket.tokens < 1) {
    const retryAfterSeconds = Math.ceil(((1 - bucket.tokens) * MINUTE_MS) / aMinute / 1000);
    throw new AppError('RATE_LIMITED', 'There were too many bootstraps.', { retryAfterSeconds });
  }
  bucket.tokens -= 1;
}
