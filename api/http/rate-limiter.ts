/**
 * Token buckets: a bucket holds as many requests as its quota, and fills evenly over a minute. So a client that keeps to
 * the rate is never refused, and a client that exceeds the rate waits only until its next request is allowed. Buckets are
 * kept in the process: of several api processes, each has buckets of its own. Time is monotonic.
 */
import { LRUCache } from 'lru-cache';

import type { AccountPlan } from '../../src/domain/access.ts';

/** Requests per minute of each kind, before the plan's factor. */
export const DEFAULT_QUOTAS = {
  read: 600,
  write: 120,
  submit: 60,
  estimate: 120,
  /** Each lookup of a ligand draws up to a dozen molecules. */
  resolve: 60,
  /** Each inspection may take an instance for a while, at no charge. */
  inspect: 60,
  'part-urls': 300,
  chat: 30,
  public: 30,
  /** Per address, for requests that are not authenticated and those whose key is refused. */
  anonymous: 300,
} as const;

/** A kind of request with a quota of its own. */
export type RateLimitClass = keyof typeof DEFAULT_QUOTAS;

/** Settings of the limiter; a setting that is left out keeps its default. */
export interface RateLimitOptions {
  readonly quotasPerMinute?: Partial<Record<RateLimitClass, number>>;
  readonly planFactors?: Partial<Record<AccountPlan, number>>;
  /** Monotonic time in milliseconds; tests set it. */
  readonly now?: () => number;
}

/** What the limiter says to one request. */
export interface RateLimitDecision {
  readonly allowed: boolean;
  readonly limitClass: RateLimitClass;
  readonly quota: number;
  readonly remaining: number;
  /** Time until the bucket is full again. */
  readonly resetSeconds: number;
  /** Time until the next request would pass; 0 when this request passed. */
  readonly retryAfterSeconds: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

const WINDOW_MS = 60_000;
const MAX_BUCKETS = 200_000;
const DEFAULT_FACTORS: Readonly<Record<AccountPlan, number>> = { free: 1, pro: 4 };

/** The limiter of one process. */
export interface RateLimiter {
  consume(limitClass: RateLimitClass, key: string, plan?: AccountPlan): RateLimitDecision;
}

/** Makes a limiter. */
export function createRateLimiter(options: RateLimitOptions = {}): RateLimiter {
  const quotas = { ...DEFAULT_QUOTAS, ...options.quotasPerMinute };
  const factors = { ...DEFAULT_FACTORS, ...options.planFactors };
  const now = options.now ?? (() => performance.now());
  const buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS });

  return {
    consume(limitClass, key, plan = 'free') {
      const quota = quotas[limitClass] * factors[plan];
      const perMs = quota / WINDOW_MS;
      const at = now();
      const id = `${limitClass} ${key}`;
      const before = buckets.get(id) ?? { tokens: quota, at };
      const filled = Math.min(quota, before.tokens + (at - before.at) * perMs);
      const allowed = filled >= 1;
      const tokens = allowed ? filled - 1 : filled;
      buckets.set(id, { tokens, at });
      return {
        allowed,
        limitClass,
        quota,
        remaining: Math.floor(tokens),
        resetSeconds: Math.ceil((quota - tokens) / perMs / 1000),
        retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs / 1000)),
      };
    },
  };
}
