/**
 * Reader of sessions: finds the person of a cookie. A cookie that this service has not made is refused without a look-up; every
 * other cookie is looked up with each call. The process remembers which sessions were open: when many ended sessions come from a
 * network and its calls are limited, calls of an open session from the same network still get through. For a second the process
 * also remembers which sessions are of suspended accounts, because no limit counts a call that is refused before it has a caller.
 */
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import type { SessionActor } from '../../domain/access.ts';
import { inactiveAccount } from '../../domain/account-state.ts';
import { AppError } from '../../domain/errors.ts';
import type { SessionCookies } from './cookies.ts';
import { findSession, noSession } from './sessions.ts';

/** Reads the cookies of sessions. */
export interface SessionReader {
  /** Whether the last look-up of this process found the session open; the session may have ended since. */
  wasOpen(cookie: string): boolean;
  /** @throws UNAUTHORIZED when there is no such session or it has ended; ACCOUNT_SUSPENDED. */
  find(cookie: string): Promise<SessionActor>;
}

const REMEMBERED = 100_000;
const SUSPENDED = 10_000;
const SUSPENDED_MS = 1_000;

/** Makes the reader of a process. */
export function createSessionReader(db: DataSource, cookies: SessionCookies): SessionReader {
  const open = new LRUCache<string, true>({ max: REMEMBERED });
  const suspended = new LRUCache<string, true>({ max: SUSPENDED, ttl: SUSPENDED_MS });
  return {
    wasOpen(cookie) {
      const digest = cookies.digestOf(cookie);
      return digest !== null && open.has(digest);
    },
    async find(cookie) {
      const digest = cookies.digestOf(cookie);
      if (digest === null) throw noSession();
      if (suspended.has(digest)) throw inactiveAccount('SUSPENDED');
      try {
        const actor = await findSession(db, digest);
        open.set(digest, true);
        return actor;
      } catch (error) {
        const code = error instanceof AppError ? error.code : null;
        if (code === 'UNAUTHORIZED') open.delete(digest);
        if (code === 'ACCOUNT_SUSPENDED') suspended.set(digest, true);
        throw error;
      }
    },
  };
}
