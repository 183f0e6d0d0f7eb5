/** Finds the caller, and whether the endpoint is for that caller. */
import {
  requireKey,
  requireLive,
  requireOwner,
  requireRecent,
  requireScope,
  requireSession,
} from '../../src/domain/access.ts';
import type { Actor } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import type { Services } from '../services.ts';
import type { Context, Middleware } from './context.ts';
import { callerIn } from './credentials.ts';
import type { NamedCaller } from './credentials.ts';
import type { Access, Endpoint } from './endpoint.ts';
import { isWithin } from './networks.ts';
import { limitAnonymous, tellAnonymous } from './rate-limit.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Finds out who calls, where the endpoint wants to know. @throws UNAUTHORIZED, ACCOUNT_SUSPENDED, RATE_LIMITED. */
export function authenticate(
  endpoint: Endpoint,
  identity: Services['identity'],
  limiter: RateLimiter,
): Middleware {
  return (context, next) => {
    if (endpoint.access === 'none') return next();
    const caller = callerIn(context.headers, identity);
    if (caller.known === null || caller.known instanceof Promise)
      return resolveActor(context, caller, limiter).then((actor) => {
        context.state.actor = actor;
        return next();
      });
    context.state.actor = caller.known;
    return next();
  };
}

/**
 * The actor of a request. A request with a refused key or session counts against the network that it comes from, so that
 * keys cannot be guessed quickly. The network pays before a key or a session is looked up and gets its token back when it is
 * good, so that bad ones cannot make more look-ups than the network may have refusals, however many of them come at once. One
 * that is known, that was good when it was looked up last, or that is being looked up already, costs nothing.
 */
async function resolveActor(
  context: Context,
  { known, lookUp }: NamedCaller,
  limiter: RateLimiter,
): Promise<Actor> {
  if (known !== null) {
    try {
      return await known;
    } catch (error) {
      if (isRefused(error)) await limitAnonymous(context, limiter);
      else await tellAnonymous(context, limiter);
      throw error;
    }
  }
  const counted = await limitAnonymous(context, limiter);
  try {
    const actor = await lookUp();
    await counted.giveBack();
    return actor;
  } catch (error) {
    if (!isRefused(error)) await counted.giveBack();
    throw error;
  }
}

/**
 * Whether an error says that the key or the session is none, and not that the service could not tell or that the account
 * is suspended: nobody guesses a key of a suspended account, and others of its network must not pay for its calls.
 */
function isRefused(error: unknown): boolean {
  return error instanceof AppError && error.code === 'UNAUTHORIZED';
}

/**
 * Checks that the caller is one that the endpoint is for.
 * @throws ADDRESS_NOT_ALLOWED, INSUFFICIENT_SCOPE, TEST_KEY_LIVE_BILLING, KEY_REQUIRED, SESSION_REQUIRED, OWNER_REQUIRED,
 * SIGN_IN_AGAIN.
 */
export function authorize(endpoint: Endpoint): Middleware {
  return (context, next) => {
    const { actor } = context.state;
    if (actor !== null && endpoint.access !== 'none') {
      requireNetwork(actor, context.ip);
      requireAccess(actor, endpoint.access);
      if (endpoint.live === true) requireLive(actor);
      if (endpoint.recent === true) requireRecent(actor);
    }
    return next();
  };
}

/** Refuses a key that is bound to networks when the call comes from another one. */
function requireNetwork(actor: Actor, address: string): void {
  if (actor.kind === 'session' || actor.allowedCidrs === undefined) return;
  if (isWithin(address, actor.allowedCidrs)) return;
  throw new AppError('ADDRESS_NOT_ALLOWED', `This key may not be used from the address ${address}.`);
}

function requireAccess(actor: Actor, access: Exclude<Access, 'none'>): void {
  switch (access) {
    case 'any':
      return;
    case 'key':
      requireKey(actor);
      return;
    case 'session':
      requireSession(actor);
      return;
    case 'owner':
      requireOwner(actor);
      return;
    default:
      requireScope(actor, access);
  }
}
