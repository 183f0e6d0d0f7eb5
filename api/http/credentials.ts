/** Credentials of a request: the key in its Authorization header, or the session of its cookie. */
import type { IncomingHttpHeaders } from 'node:http';

import type { Actor } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import type { Services } from '../services.ts';
import { readSessionCookie } from './session-cookie.ts';

const BEARER = /^Bearer +([\x21-\x7e]{1,512}) *$/i;

/** The caller that a request names. */
export interface NamedCaller {
  /** The actor, where it is known or was good when it was looked up last. */
  readonly known: Actor | Promise<Actor> | null;
  readonly lookUp: () => Promise<Actor>;
}

type Identity = Services['identity'];
type Sent = Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>;

/** The key of a request, or the session of one that has no Authorization header. */
export function callerIn(headers: Sent, identity: Identity): NamedCaller {
  const cookie = sessionIn(headers);
  if (cookie !== null) {
    const known = identity.wasSession(cookie) ? identity.session(cookie) : null;
    return { known, lookUp: () => identity.session(cookie) };
  }
  const token = keyIn(headers);
  if (token === null) return { known: null, lookUp: refuseNobody };
  const lookUp = (): Promise<Actor> => identity.authenticate(token);
  return { known: identity.recall(token) ?? (identity.wasGood(token) ? lookUp() : null), lookUp };
}

/** Whether the caller of a request is known or was good when it was looked up last; nothing is looked up. */
export function isKnownCaller(headers: Sent, identity: Identity): boolean {
  const cookie = sessionIn(headers);
  if (cookie !== null) return identity.wasSession(cookie);
  const token = keyIn(headers);
  return token !== null && (identity.recall(token) !== null || identity.wasGood(token));
}

function sessionIn({ authorization, cookie }: Sent): string | null {
  return (authorization ?? '') === '' ? readSessionCookie(cookie) : null;
}

function keyIn({ authorization }: Sent): string | null {
  return BEARER.exec(authorization ?? '')?.[1] ?? null;
}

async function refuseNobody(): Promise<never> {
  throw new AppError('UNAUTHORIZED', 'Send an API key in the header: Authorization: Bearer <API_KEY>.');
}
