/** Counts a request against its bucket, and tells the client on every answer how many requests are left. */
import { callerOf } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import type { Context, Middleware } from './context.ts';
import { networkOf } from './networks.ts';
import type { Counted, RateLimitClass, RateLimitDecision, RateLimiter } from './rate-limiter.ts';

function apply(context: Context, decision: RateLimitDecision): void {
  const { limitClass, quota, remaining, resetSeconds } = decision;
  context.set('RateLimit-Policy', `"${limitClass}";q=${quota};w=60`);
  context.set('RateLimit', `"${limitClass}";r=${remaining};t=${resetSeconds}`);
  if (decision.allowed) return;
  throw new AppError(
    'RATE_LIMITED',
    `Too many requests: ${quota} a minute are allowed here. Wait ${decision.retryAfterSeconds} s.`,
    {
      retryAfterSeconds: decision.retryAfterSeconds,
    },
  );
}

function networkOfClient(context: Context): Counted {
  return { kind: 'network', id: networkOf(context.ip) };
}

/** Limits by the caller's key or session, or by network where there is no caller. @throws RATE_LIMITED. */
export function limitRate(limiter: RateLimiter, limitClass: RateLimitClass): Middleware {
  return async (context, next) => {
    const { actor } = context.state;
    const who = actor === null ? networkOfClient(context) : { ...callerOf(actor), plan: actor.plan };
    apply(context, await limiter.consume(limitClass, who));
    await next();
  };
}

/** Limits a request that nobody has authenticated, by network. @throws RATE_LIMITED. */
export async function limitAnonymous(context: Context, limiter: RateLimiter): Promise<void> {
  apply(context, await limiter.consume('anonymous', networkOfClient(context)));
}

/** Takes back what `limitAnonymous` counted, because the request turned out to have a caller. */
export function forgetAnonymous(context: Context, limiter: RateLimiter): Promise<void> {
  return limiter.giveBack('anonymous', networkOfClient(context));
}
