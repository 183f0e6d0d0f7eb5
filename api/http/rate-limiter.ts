/**
 * How often one may call. A bucket holds as many requests as its quota, and fills evenly over a minute. So a client that
 * keeps to the rate is never refused, and a client that exceeds the rate waits only until its next request is allowed.
 * A request of a caller counts against the bucket of its key or session and against that of its account, which holds ten
 * times as much; a request that is refused by one of them takes nothing from the other.
 */
import { LRUCache } from 'lru-cache';

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

/** Caller that is counted: a network where nobody is known, else a key or a session, with its account and the account's plan. */
export type Counted =
  | { readonly kind: 'network'; readonly id: string }
  | (Caller & { readonly accountId: string; readonly plan: AccountPlan });

/** Settings of the limiter; a setting that is left out keeps its default. */
export interface RateLimitOptions {
  readonly quotasPerMinute?: Partial<Record<RateLimitClass, number>>;
  readonly planFactors?: Partial<Record<AccountPlan, number>>;
  /** Store of the buckets; without one they are kept in the process. */
  readonly store?: BucketStore;
  /** Monotonic time in milliseconds; tests set this. */
  readonly now?: () => number;
}

/** Decision of the limiter about one request. */
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
  /** Answers at once where the buckets are kept in this process. */
  consume(limitClass: RateLimitClass, who: Counted): RateLimitDecision | Promise<RateLimitDecision>;
  /** Reads the tokens that are left, without counting anything. */
  look(limitClass: RateLimitClass, who: Counted): RateLimitDecision | Promise<RateLimitDecision>;
  /**
   * The refusal of a network that a call of `consume` has refused so lately that no token can have come since; null for every
   * other one. No store is asked, so a refusal costs next to nothing, however many of them there are.
   */
  stillRefused(limitClass: RateLimitClass, network: string): RateLimitDecision | null;
  /** Whether there is any network of which `stillRefused` may know. */
  hasRefused(): boolean;
}

/** Makes a limiter. */
export function createRateLimiter(options: RateLimitOptions = {}): RateLimiter {
  const quotas = { ...DEFAULT_QUOTAS, ...options.quotasPerMinute };
  const factors = { ...DEFAULT_FACTORS, ...options.planFactors };
  const store = options.store ?? createProcessBuckets();
  const makeBuckets = (limitClass: RateLimitClass, who: Counted): readonly NamedBucket[] => {
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
  const bucketsOf = rememberBuckets(makeBuckets);
  const refusals = new Refusals(options.now ?? (() => performance.now()));
  const decide = (buckets: readonly NamedBucket[], who: Counted, taken: TakenTokens): RateLimitDecision => {
    const decision = decisionOf(buckets, taken);
    const [bucket] = buckets;
    return who.kind === 'network' && bucket !== undefined ? refusals.note(bucket, taken, decision) : decision;
  };
  const ask = (limitClass: RateLimitClass, who: Counted, count: 0 | 1) => {
    const buckets = bucketsOf(limitClass, who);
    const taken = store.take(buckets, count);
    return taken instanceof Promise
      ? taken.then((tokens) => decide(buckets, who, tokens))
      : decide(buckets, who, taken);
  };
  return {
    consume: (limitClass, who) => ask(limitClass, who, 1),
    look: (limitClass, who) => ask(limitClass, who, 0),
    stillRefused(limitClass, network) {
      const [bucket] = bucketsOf(limitClass, { kind: 'network', id: network });
      return bucket === undefined ? null : refusals.find(bucket);
    },
    hasRefused: () => refusals.areThere(),
  };
}

type BucketsOf = (limitClass: RateLimitClass, who: Counted) => readonly NamedBucket[];

/** The buckets of a caller are the same for every request: they are remembered as long as the caller is. */
function rememberBuckets(make: BucketsOf): BucketsOf {
  const known = new WeakMap<Counted, Map<RateLimitClass, readonly NamedBucket[]>>();
  return (limitClass, who) => {
    if (who.kind === 'network') return make(limitClass, who);
    const ofCaller = known.get(who) ?? new Map<RateLimitClass, readonly NamedBucket[]>();
    const buckets = ofCaller.get(limitClass) ?? make(limitClass, who);
    ofCaller.set(limitClass, buckets);
    known.set(who, ofCaller);
    return buckets;
  };
}

const REMEMBERED_REFUSALS = 10_000;

/**
 * The buckets of networks that were found empty. A bucket fills with time alone, unless somebody gives a token back; so the
 * bucket is known to be empty until a token's time has passed.
 */
class Refusals {
  readonly #levels = new LRUCache<string, { readonly tokens: number; readonly at: number }>({
    max: REMEMBERED_REFUSALS,
  });
  readonly #now: () => number;
  /** Time at which the last of these networks has a token again. */
  #until = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  areThere(): boolean {
    return this.#now() < this.#until;
  }

  /** Remembers a refusal, and forgets the refusal where a token is given back. */
  note(bucket: Bucket, { isTaken, tokens }: TakenTokens, decision: RateLimitDecision): RateLimitDecision {
    if (isTaken)
      return {
        ...decision,
        giveBack: async () => {
          await decision.giveBack();
          this.#levels.delete(bucket.name);
        },
      };
    const [level = 0] = tokens;
    const at = this.#now();
    this.#levels.set(bucket.name, { tokens: level, at });
    this.#until = Math.max(this.#until, at + ((1 - level) * WINDOW_MS) / bucket.quota);
    return decision;
  }

  find(bucket: NamedBucket): RateLimitDecision | null {
    const level = this.#levels.get(bucket.name);
    if (level === undefined) return null;
    const tokens = level.tokens + ((this.#now() - level.at) * bucket.quota) / WINDOW_MS;
    if (tokens < 1) return decisionOf([bucket], { ...NOT_TAKEN, tokens: [tokens] });
    this.#levels.delete(bucket.name);
    return null;
  }
}

const NOT_TAKEN = { isTaken: false, giveBack: async () => undefined };

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
  let [tightest] = buckets;
  if (tightest === undefined) throw new Error('A request counts against at least one bucket.');
  let left = tokens[0] ?? 0;
  for (let index = 1; index < buckets.length; index += 1) {
    const tokensOfNext = tokens[index] ?? 0;
    if (tokensOfNext >= left) continue;
    left = tokensOfNext;
    tightest = buckets[index] ?? tightest;
  }
  const { policy, quota } = tightest;
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
