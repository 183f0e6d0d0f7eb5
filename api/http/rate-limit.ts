/** Counts a request against its bucket, and tells the client on every answer how many requests are left. */
import { callerOf } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import type { Context, Middleware } from './context.ts';
import type { RateLimitClass, RateLimitDecision, RateLimiter } from './rate-limiter.ts';

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

/** Limits by the caller's key, or by address where there is none. @throws RATE_LIMITED. */
export function limitRate(limiter: RateLimiter, limitClass: RateLimitClass): Middleware {
  return async (context, next) => {
    const { actor } = context.state;
    apply(
      context,
      actor === null
        ? limiter.consume(limitClass, context.ip)
        : limiter.consume(limitClass, callerOf(actor).id, actor.plan),
    );
    await next();
  };
}

/** Limits a request that nobody has authenticated, by address. @throws RATE_LIMITED. */
export function limitAnonymous(context: Context, limiter: RateLimiter): void {
  apply(context, limiter.consume('anonymous', context.ip));
}
