/** Counts a request against its buckets, and tells the client on every answer how many requests are left. */
import { callerOf } from '../../src/domain/access.ts';
import type { Actor } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import type { Context, Middleware } from './context.ts';
import { setHeader } from './headers.ts';
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

/** Tells a client that its request is one too many. */
export function refusalText({ quota, retryAfterSeconds }: RateLimitDecision): string {
  return `Too many requests: ${quota} a minute are allowed here. Wait ${retryAfterSeconds} s.`;
}

function tell(context: Context, decision: RateLimitDecision): void {
  const { 'RateLimit-Policy': policy, RateLimit: left } = limitHeaders(decision);
  setHeader(context, 'RateLimit-Policy', policy);
  setHeader(context, 'RateLimit', left);
}

function apply(context: Context, decision: RateLimitDecision): void {
  tell(context, decision);
  if (decision.allowed) return;
  const { retryAfterSeconds } = decision;
  throw new AppError('RATE_LIMITED', refusalText(decision), { retryAfterSeconds });
}

function networkOfClient(context: Context): Counted {
  return { kind: 'network', id: networkOf(context.ip) };
}

/** Keys that are cached call again as the same actor, whose buckets the limiter then knows. */
const counted = new WeakMap<Actor, Counted>();

function countedOf(actor: Actor): Counted {
  const known = counted.get(actor);
  if (known !== undefined) return known;
  const who: Counted = { ...callerOf(actor), accountId: actor.accountId, plan: actor.plan };
  counted.set(actor, who);
  return who;
}

/** Limits by the caller's key or session and its account, or by network where there is no caller. @throws RATE_LIMITED. */
export function limitRate(limiter: RateLimiter, limitClass: RateLimitClass): Middleware {
  return (context, next) => {
    const { actor } = context.state;
    const decision = limiter.consume(
      limitClass,
      actor === null ? networkOfClient(context) : countedOf(actor),
    );
    if (decision instanceof Promise)
      return decision.then((decided) => {
        apply(context, decided);
        return next();
      });
    apply(context, decision);
    return next();
  };
}

/** Limits a request that nobody has authenticated, by network; answers what was counted. @throws RATE_LIMITED. */
export async function limitAnonymous(context: Context, limiter: RateLimiter): Promise<RateLimitDecision> {
  const decision = await limiter.consume('anonymous', networkOfClient(context));
  apply(context, decision);
  return decision;
}

/** Tells what its network has left, to a request that counts against nothing. */
export async function tellAnonymous(context: Context, limiter: RateLimiter): Promise<void> {
  tell(context, await limiter.look('anonymous', networkOfClient(context)));
}
