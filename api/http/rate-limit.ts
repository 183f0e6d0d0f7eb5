/** Counts a request against its buckets, and tells the client on every answer how many requests are left. */
import { callerOf } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import type { Context, Middleware } from './context.ts';
import { networkOf } from './networks.ts';
import type { Counted, RateLimitClass, RateLimitDecision, RateLimiter } from './rate-limiter.ts';

/** The headers that tell what is left. */
export function limitHeaders({ policy, quota, remaining, resetSeconds }: RateLimitDecision): {
  readonly 'RateLimit-Policy': string;
  readonly RateLimit: string;
} {
  return {
    'RateLimit-Policy': `"${policy}";q=${quota};w=60`,
    RateLimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  };
}

/** What a client is told whose request is one too many. */
export function refusalText({ quota, retryAfterSeconds }: RateLimitDecision): string {
  return `Too many requests: ${quota} a minute are allowed here. Wait ${retryAfterSeconds} s.`;
}

function apply(context: Context, decision: RateLimitDecision): void {
  context.set(limitHeaders(decision));
  if (decision.allowed) return;
  const { retryAfterSeconds } = decision;
  throw new AppError('RATE_LIMITED', refusalText(decision), { retryAfterSeconds });
}

function networkOfClient(context: Context): Counted {
  return { kind: 'network', id: networkOf(context.ip) };
}

/** Limits by the caller's key or session and its account, or by network where there is no caller. @throws RATE_LIMITED. */
export function limitRate(limiter: RateLimiter, limitClass: RateLimitClass): Middleware {
  return async (context, next) => {
    const { actor } = context.state;
    const who: Counted =
      actor === null
        ? networkOfClient(context)
        : { ...callerOf(actor), accountId: actor.accountId, plan: actor.plan };
    apply(context, await limiter.consume(limitClass, who));
    await next();
  };
}

/** Limits a request that nobody has authenticated, by network; answers what was counted. @throws RATE_LIMITED. */
export async function limitAnonymous(context: Context, limiter: RateLimiter): Promise<RateLimitDecision> {
  const counted = await limiter.consume('anonymous', networkOfClient(context));
  apply(context, counted);
  return counted;
}

/** Tells what its network has left, to a request that counts against nothing. */
export async function tellAnonymous(context: Context, limiter: RateLimiter): Promise<void> {
  context.set(limitHeaders(await limiter.look('anonymous', networkOfClient(context))));
}
