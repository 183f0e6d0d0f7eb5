/**
 * How often one may call. A bucket holds as many requests as its quota, and fills evenly over a minute. So a client that
 * keeps to the rate is never refused, and a client that exceeds the rate waits only until its next request is allowed.
 * A request of a caller counts against the bucket of its key or session and against that of its account, which holds ten
 * times as much; a request that is refused by one of them takes nothing from the other.
 */
import type { AccountPlan, Caller } from '../../src/domain/access.ts';
import { WINDOW_MS } from '../../src/domain/buckets.ts';
import type { Bucket, BucketStore, TakenTokens } from '../../src/domain/buckets.ts';
import { createProcessBuckets } from './buckets.ts';

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
  /** Each connects to a host that the customer names. */
  reach: 20,
  'part-urls': 300,
  chat: 30,
  public: 30,
  /** Per network, for requests that are not authenticated and those whose key is refused. */
  anonymous: 300,
} as const;

/** A kind of request with a quota of its own. */
export type RateLimitClass = keyof typeof DEFAULT_QUOTAS;

/** Who is counted: a network where nobody is known, else a key or a session, with its account and the account's plan. */
export type Counted =
  | { readonly kind: 'network'; readonly id: string }
  | (Caller & { readonly accountId: string; readonly plan: AccountPlan });

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
  /** The name of the limit that the numbers are about, which is the tightest one. */
  readonly policy: string;
  readonly quota: number;
  readonly remaining: number;
  /** Time until the bucket is full again. */
  readonly resetSeconds: number;
  /** Time until the next request would pass; 0 when this request passed. */
  readonly retryAfterSeconds: number;
  /** Takes back what was counted, because the request counts elsewhere. */
  giveBack(): Promise<void>;
}

/** Keys and sessions of one account together may call this many times as often as one of them. */
export const ACCOUNT_FACTOR = 10;

const DEFAULT_FACTORS: Readonly<Record<AccountPlan, number>> = { free: 1, pro: 4 };

/** The limiter over a store of buckets. */
export interface RateLimiter {
  consume(limitClass: RateLimitClass, who: Counted): Promise<RateLimitDecision>;
  /** What is left, without counting anything. */
  look(limitClass: RateLimitClass, who: Counted): Promise<RateLimitDecision>;
}

/** Makes a limiter. */
export function createRateLimiter(options: RateLimitOptions = {}): RateLimiter {
  const quotas = { ...DEFAULT_QUOTAS, ...options.quotasPerMinute };
  const factors = { ...DEFAULT_FACTORS, ...options.planFactors };
  const store = options.store ?? createProcessBuckets();
  const bucketsOf = (limitClass: RateLimitClass, who: Counted): readonly NamedBucket[] => {
    if (who.kind === 'network') {
      const quota = quotas[limitClass];
      return [bucketOf({ policy: limitClass, space: 'addresses', owner: `network ${who.id}`, quota })];
    }
    const quota = quotas[limitClass] * factors[who.plan];
    // The part in braces keeps all buckets of an account on one node of a cluster.
    const account = `{${who.accountId}}`;
    const own = {
      policy: limitClass,
      space: 'callers',
      owner: `${account} ${who.kind} ${who.id}`,
      quota,
    } as const;
    const all = { policy: `${limitClass}-account`, space: 'callers', owner: account } as const;
    return [bucketOf(own), bucketOf({ ...all, quota: quota * ACCOUNT_FACTOR })];
  };
  const ask = async (limitClass: RateLimitClass, who: Counted, count: 0 | 1): Promise<RateLimitDecision> => {
    const buckets = bucketsOf(limitClass, who);
    return decisionOf(buckets, await store.take(buckets, count));
  };
  return {
    consume: (limitClass, who) => ask(limitClass, who, 1),
    look: (limitClass, who) => ask(limitClass, who, 0),
  };
}

/** A bucket with the name by which clients know its limit. */
interface NamedBucket extends Bucket {
  readonly policy: string;
}

function bucketOf({
  policy,
  space,
  owner,
  quota,
}: Pick<NamedBucket, 'policy' | 'space' | 'quota'> & { readonly owner: string }): NamedBucket {
  return { policy, space, name: `${policy} ${owner}`, group: `${policy} ${quota}`, quota };
}

/** Tells of the bucket with the fewest tokens, which is the one that refuses first. */
function decisionOf(buckets: readonly NamedBucket[], taken: TakenTokens): RateLimitDecision {
  const { isTaken, tokens } = taken;
  const [tightest] = buckets
    .map((bucket, index) => ({ ...bucket, left: tokens[index] ?? 0 }))
    .toSorted((a, b) => a.left - b.left);
  if (tightest === undefined) throw new Error('A request counts against at least one bucket.');
  const { policy, quota, left } = tightest;
  const perMs = quota / WINDOW_MS;
  return {
    allowed: isTaken,
    policy,
    quota,
    remaining: Math.floor(left),
    resetSeconds: Math.ceil((quota - left) / perMs / 1000),
    retryAfterSeconds: isTaken ? 0 : Math.max(1, Math.ceil((1 - left) / perMs / 1000)),
    giveBack: () => taken.giveBack(),
  };
}
