/**
 * Authentication. A verified key is cached for a minute at most. A change of what keys stand for (a revocation, other
 * scopes, another state or plan of an account) moves the revocation epoch, which empties the cache of every process: the
 * database announces the change, and polling finds it, too. So a revoked key stops working everywhere within seconds.
 */
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import type { Account, ApiKey } from '../../../entities/accounts.ts';
import { inactiveAccount } from '../../domain/account-state.ts';
import { SCOPES, type KeyActor, type Scope } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { Row } from '../row.ts';
import { isWellFormedKey, sha256Of } from './key-format.ts';
import { watchRevocations } from './revocations.ts';

const CACHE_KEYS = 10_000;
const CACHE_MS = 60_000;
const GOOD_KEYS = 100_000;
const POLL_MS = 2_000;
/** A key of a suspended account is looked up no oftener, because nobody limits what is refused before it has a caller. */
const SUSPENDED_MS = 1_000;

interface KeyRow
  extends
    Row<ApiKey, 'id' | 'accountId' | 'userId' | 'environment' | 'scopes' | 'allowedCidrs'>,
    Row<Account, 'plan' | 'state'> {
  /** Milliseconds until the key expires; null for never. */
  readonly lives_ms: number | null;
}

/** Authentication of one process. */
export interface Identity {
  /** The actor of a key that is cached or being looked up at this moment; null when only a look-up could tell. */
  recall(token: string): KeyActor | Promise<KeyActor> | null;
  /** Whether the last look-up of this process found the key good; the key may have been revoked since. */
  wasGood(token: string): boolean;
  /**
   * @throws UNAUTHORIZED when the token is malformed, unknown, expired or revoked; ACCOUNT_SUSPENDED.
   */
  authenticate(token: string): Promise<KeyActor>;
  /** Forgets every key that this process knows, because one of them has ended here. */
  forget(): void;
  /** Ends the watch on revocations. */
  close(): void;
}

/** Starts authentication and its watch on revocations. */
export function createIdentity(db: DataSource, options: { readonly pollMs?: number } = {}): Identity {
  const cache = new LRUCache<string, KeyActor>({ max: CACHE_KEYS });
  /** Equal keys that come at the same time share one look-up. */
  const pending = new Map<string, Promise<KeyActor>>();
  /** Digests of keys that the last look-up found good. Bad keys from a network do not keep a good key of the same network out. */
  const good = new LRUCache<string, true>({ max: GOOD_KEYS });
  const suspended = new LRUCache<string, true>({ max: CACHE_KEYS, ttl: SUSPENDED_MS });
  let generation = 0;
  const forget = (): void => {
    generation += 1;
    cache.clear();
    suspended.clear();
    // A look-up that has begun may have read the key as it was before the revocation, so no further call joins the look-up.
    pending.clear();
  };
  const watch = watchRevocations(db, { pollMs: options.pollMs ?? POLL_MS, onRevoked: forget });
  const lookUp = async (digest: string): Promise<KeyActor> => {
    const before = generation;
    const row = await findKey(db, digest);
    // All keys of a closed account are revoked as it is closed.
    if (row === null || row.state === 'CLOSED') {
      good.delete(digest);
      throw unauthorized();
    }
    good.set(digest, true);
    if (row.state === 'SUSPENDED') {
      if (generation === before) suspended.set(digest, true);
      throw inactiveAccount(row.state);
    }
    const actor = actorOf(row);
    // A key that was read before a revocation was noticed may be the revoked one, so it is not cached.
    if (generation === before) cache.set(digest, actor, { ttl: rememberedMs(row) });
    return actor;
  };
  const recall = (digest: string): KeyActor | Promise<KeyActor> | null =>
    cache.get(digest) ?? pending.get(digest) ?? null;
  return {
    recall: (token) => (isWellFormedKey(token) ? recall(sha256Of(token)) : null),
    wasGood: (token) => isWellFormedKey(token) && good.has(sha256Of(token)),
    async authenticate(token) {
      if (!isWellFormedKey(token)) throw unauthorized();
      const digest = sha256Of(token);
      const known = recall(digest);
      if (known !== null) return known;
      if (suspended.has(digest)) throw inactiveAccount('SUSPENDED');
      const looking = lookUp(digest).finally(() => {
        if (pending.get(digest) === looking) pending.delete(digest);
      });
      pending.set(digest, looking);
      return looking;
    },
    forget,
    close: () => watch.close(),
  };
}

function actorOf(row: KeyRow): KeyActor {
  return {
    accountId: row.account_id,
    userId: row.user_id,
    plan: row.plan,
    kind: 'key',
    keyId: row.id,
    environment: row.environment,
    scopes: row.scopes.filter(isScope),
    ...(row.allowed_cidrs === null ? {} : { allowedCidrs: row.allowed_cidrs }),
  };
}

/** How long a key is cached, which is never beyond the time at which the key expires. */
function rememberedMs(row: KeyRow): number {
  return Math.max(1, Math.floor(Math.min(CACHE_MS, row.lives_ms ?? CACHE_MS)));
}

/** Finds a key that is valid now; the use of the key is noted at most once a minute. */
async function findKey(db: DataSource, digest: string): Promise<KeyRow | null> {
  const [row] = await db.query<KeyRow[]>(
    `with used as (update api_keys set last_used_at = now() where secret_sha256 = $1
       and revoked_at is null and (expires_at is null or expires_at > now()) and (last_used_at is null or last_used_at < now() - interval '1 minute'))
     select k.id, k.account_id, k.user_id, k.environment, k.scopes, k.allowed_cidrs, a.plan, a.state,
       (extract(epoch from k.expires_at - now()) * 1000)::float8 as lives_ms
     from api_keys k join accounts a on a.id = k.account_id
     where k.secret_sha256 = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    [digest],
  );
  return row ?? null;
}

function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

function unauthorized(): AppError {
  return new AppError(
    'UNAUTHORIZED',
    'The API key is malformed, unknown, expired or revoked. Send a valid key: Authorization: Bearer <key>.',
  );
}
