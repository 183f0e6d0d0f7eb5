/** Bearer keys: who calls, and whether the key permits it. */
import { requireLive, requireOwner, requireScope, requireSession } from '../../src/domain/access.ts';
import type { Actor } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import type { Services } from '../services.ts';
import type { Context, Middleware } from './context.ts';
import type { Access, Endpoint } from './endpoint.ts';
import { limitAnonymous } from './rate-limit.ts';
import type { RateLimiter } from './rate-limiter.ts';

const BEARER = /^Bearer +([\x21-\x7e]{1,512}) *$/i;

function bearerToken(context: Context): string {
  const token = BEARER.exec(context.get('Authorization'))?.[1];
  if (token !== undefined) return token;
  throw new AppError('UNAUTHORIZED', 'Send an API key in the header: Authorization: Bearer <API_KEY>.');
}

/**
 * Authenticates the bearer key. A request with a refused key counts against the caller's address, so that keys cannot be
 * guessed quickly.
 * @throws UNAUTHORIZED, RATE_LIMITED.
 */
export function authenticate(
  endpoint: Endpoint,
  identity: Services['identity'],
  limiter: RateLimiter,
): Middleware {
  return async (context, next) => {
    if (endpoint.access !== 'none') {
      try {
        context.state.actor = await identity.authenticate(bearerToken(context));
      } catch (error) {
        if (error instanceof AppError && error.code === 'UNAUTHORIZED') limitAnonymous(context, limiter);
        throw error;
      }
    }
    await next();
  };
}

/**
 * Checks that the caller is one that the endpoint is for.
 * @throws INSUFFICIENT_SCOPE, TEST_KEY_LIVE_BILLING, SESSION_REQUIRED, OWNER_REQUIRED.
 */
export function authorize(endpoint: Endpoint): Middleware {
  return async (context, next) => {
    const { actor } = context.state;
    if (actor !== null && endpoint.access !== 'none') {
      requireAccess(actor, endpoint.access);
      if (endpoint.live === true) requireLive(actor);
    }
    await next();
  };
}

function requireAccess(actor: Actor, access: Exclude<Access, 'none'>): void {
  switch (access) {
    case 'any':
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
