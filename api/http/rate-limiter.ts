/**
 * How often one may call. A bucket holds as many requests as its quota, and fills evenly over a minute. So a client that
 * keeps to the rate is never refused, and a client that exceeds the rate waits only until its next request is allowed.
 */
import type { AccountPlan, Caller } from '../../src/domain/access.ts';
import { createProcessBuckets, WINDOW_MS } from './buckets.ts';
import type { Bucket, BucketReading, BucketStore } from './buckets.ts';

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
  /** Per network, for requests that are not authenticated and those whose key is refused. */
  anonymous: 300,
} as const;

/** A kind of request with a quota of its own. */
export type RateLimitClass = keyof typeof DEFAULT_QUOTAS;

/** Who is counted: a network where nobody is known, else a key or a session, with the plan of its account. */
export type Counted =
  { readonly kind: 'network'; readonly id: string } | (Caller & { readonly plan: AccountPlan });

/** Settings of the limiter; a setting that is left out keeps its default. */
export interface RateLimitOptions {
  readonly quotasPerMinute?: Partial<Record<RateLimitClass, number>>;
  readonly planFactors?: Partial<Record<AccountPlan, number>>;
  /** Where buckets are kept; without a store they are kept in the process. */
  readonly store?: BucketStore;
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

const DEFAULT_FACTORS: Readonly<Record<AccountPlan, number>> = { free: 1, pro: 4 };

/** The limiter over a store of buckets. */
export interface RateLimiter {
  consume(limitClass: RateLimitClass, who: Counted): Promise<RateLimitDecision>;
  /** Takes back what `consume` allowed, because the request counts elsewhere. */
  giveBack(limitClass: RateLimitClass, who: Counted): Promise<void>;
}

/** Makes a limiter. */
export function createRateLimiter(options: RateLimitOptions = {}): RateLimiter {
  const quotas = { ...DEFAULT_QUOTAS, ...options.quotasPerMinute };
  const factors = { ...DEFAULT_FACTORS, ...options.planFactors };
  const store = options.store ?? createProcessBuckets();
  const bucketOf = (limitClass: RateLimitClass, who: Counted): Bucket => ({
    space: who.kind === 'network' ? 'addresses' : 'callers',
    name: `${limitClass} ${who.kind} ${who.id}`,
    quota: quotas[limitClass] * (who.kind === 'network' ? 1 : factors[who.plan]),
  });
  return {
    async consume(limitClass, who) {
      const bucket = bucketOf(limitClass, who);
      return decisionOf(limitClass, bucket.quota, await store.take(bucket));
    },
    giveBack: (limitClass, who) => store.giveBack(bucketOf(limitClass, who)),
  };
}

function decisionOf(
  limitClass: RateLimitClass,
  quota: number,
  { isTaken, tokens }: BucketReading,
): RateLimitDecision {
  const perMs = quota / WINDOW_MS;
  return {
    allowed: isTaken,
    limitClass,
    quota,
    remaining: Math.floor(tokens),
    resetSeconds: Math.ceil((quota - tokens) / perMs / 1000),
    retryAfterSeconds: isTaken ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMs / 1000)),
  };
}
