/**
 * Idempotency keys of writes other than submit. The first request with a key runs, its answer is kept for 7 days when it
 * succeeded, and a repeated request gets that answer. A refusal is not kept: the key is free again, also for another
 * request, as it is at submit. Test keys have idempotency keys of their own. A dead process locks a key for a minute at most, because every effect is itself
 * keyed and repeatable.
 */
import type { DataSource } from 'typeorm';
import type { IdempotencyKey } from '../../entities/idempotency.ts';
import { environmentOf } from '../domain/access.ts';
import type { Actor } from '../domain/access.ts';
import { AppError, keyReused } from '../domain/errors.ts';
import { exactTime } from './exact-time.ts';
import type { Row } from './row.ts';
import type { Tx } from './transaction.ts';

/** The request that a key stands for. */
export interface IdempotencyRequest {
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** Finding about a request with a key: it is the first, or the repeat of an answered one. */
export type IdempotencyOutcome =
  | {
      readonly outcome: 'started';
      readonly reference: string;
      /** When the first attempt began, where its process died before it could answer; null for a first attempt. */
      readonly resumedSince: string | null;
    }
  | { readonly outcome: 'replay'; readonly status: number; readonly body: unknown };

/** Idempotency of one deployment. */
export interface Idempotency {
  /** @throws IDEMPOTENCY_KEY_REUSED for another request, IDEMPOTENCY_IN_PROGRESS while the first runs. */
  begin(actor: Actor, request: IdempotencyRequest): Promise<IdempotencyOutcome>;
  /** Keeps the answer of a request that succeeded; the database takes no other. */
  complete(reference: string, answer: { readonly status: number; readonly body: unknown }): Promise<void>;
  /** Gives the key free after a refusal or a failure. */
  abandon(reference: string): Promise<void>;
}

interface StoredRow extends Row<IdempotencyKey, 'fingerprint' | 'responseStatus' | 'responseBody'> {
  readonly retry_seconds: number;
}

const LOCK_SECONDS = 60;
const KEEP_DAYS = 7;

/**
 * Finds a key only while this claim holds the key: when the time of a claim has run out, another request may have claimed
 * the key. The end of the claim is compared to the microsecond, which a repository cannot do.
 */
const MINE = `account_id = $1 and environment = $2 and operation = $3 and key = $4 and response_status is null
  and extract(epoch from locked_until) = $5::numeric`;

/** Makes the service. */
export function createIdempotency(db: DataSource): Idempotency {
  return {
    async begin(actor, request) {
      const id = [actor.accountId, environmentOf(actor), request.operation, request.key] as const;
      const [started] = await db.query<{ locked_until: string; resumed_since: string | null }[]>(
        `with started as (
           insert into idempotency_keys as i (account_id, environment, operation, key, fingerprint, locked_until, expires_at)
           values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6), now() + make_interval(days => $7))
           on conflict (account_id, environment, operation, key) do update
             set fingerprint = excluded.fingerprint, locked_until = excluded.locked_until, expires_at = excluded.expires_at,
               response_status = null, response_body = null,
               created_at = case when i.expires_at <= now() then now() else i.created_at end
             where i.expires_at <= now()
               or (i.response_status is null and i.locked_until <= now() and i.fingerprint = excluded.fingerprint)
           returning locked_until, created_at)
         select extract(epoch from locked_until)::text as locked_until,
           case when created_at < now() then ${exactTime('created_at')} end as resumed_since from started`,
        [...id, request.fingerprint, LOCK_SECONDS, KEEP_DAYS],
      );
      if (started !== undefined)
        return {
          outcome: 'started',
          reference: JSON.stringify([...id, started.locked_until]),
          resumedSince: started.resumed_since,
        };
      const [row] = await db.query<StoredRow[]>(
        `select fingerprint, response_status, response_body,
           greatest(1, ceil(extract(epoch from locked_until - now())))::int as retry_seconds
         from idempotency_keys where account_id = $1 and environment = $2 and operation = $3 and key = $4`,
        [...id],
      );
      return outcomeOf(row, request);
    },
    async complete(reference, answer) {
      await db.query(
        `update idempotency_keys set response_status = $6, response_body = $7::jsonb, locked_until = null where ${MINE}`,
        [...parametersOf(reference), answer.status, JSON.stringify(answer.body)],
      );
    },
    async abandon(reference) {
      await db.query(`delete from idempotency_keys where ${MINE}`, parametersOf(reference));
    },
  };
}

function outcomeOf(row: StoredRow | undefined, request: IdempotencyRequest): IdempotencyOutcome {
  if (row !== undefined && row.fingerprint !== request.fingerprint) {
    throw keyReused();
  }
  if (row?.response_status == null) {
    throw new AppError(
      'IDEMPOTENCY_IN_PROGRESS',
      'The first request with this idempotency key is still running. Repeat it later.',
      {
        retryAfterSeconds: row?.retry_seconds ?? 1,
      },
    );
  }
  return { outcome: 'replay', status: row.response_status, body: row.response_body };
}

/** The parameters of `MINE`. */
function parametersOf(reference: string): string[] {
  const parts: unknown = JSON.parse(reference);
  if (!Array.isArray(parts)) throw new Error('No claim of an idempotency key has this reference');
  return parts.map(String);
}

/**
 * Runs the work of a request with a key once, in the transaction of the work: what it did, its answer and the key are committed
 * together, so whoever repeats the request after a crash finds either nothing or the answer. An equal request that comes meanwhile
 * waits for the first.
 * @throws IDEMPOTENCY_KEY_REUSED for another request.
 */
export async function onceInTransaction<T>(
  tx: Tx,
  actor: Actor,
  { operation, key, fingerprint }: IdempotencyRequest,
  work: () => Promise<T>,
): Promise<{ readonly answer: T; readonly replayed: boolean }> {
  const id = [actor.accountId, environmentOf(actor), operation, key];
  const started = await tx.query<unknown[]>(
    `insert into idempotency_keys as i (account_id, environment, operation, key, fingerprint, expires_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(days => $6))
     on conflict (account_id, environment, operation, key) do update
       set fingerprint = excluded.fingerprint, expires_at = excluded.expires_at, created_at = now(),
         response_status = null, response_body = null
       where i.expires_at <= now()
     returning true`,
    [...id, fingerprint, KEEP_DAYS],
  );
  if (started.length === 0) {
    const [known] = await tx.query<(Row<IdempotencyKey, 'fingerprint'> & { readonly response_body: T })[]>(
      `select fingerprint, response_body from idempotency_keys
       where account_id = $1 and environment = $2 and operation = $3 and key = $4`,
      id,
    );
    if (known === undefined || known.fingerprint !== fingerprint) throw keyReused();
    return { answer: known.response_body, replayed: true };
  }
  const answer = await work();
  await tx.query(
    `update idempotency_keys set response_status = 200, response_body = $5::jsonb
     where account_id = $1 and environment = $2 and operation = $3 and key = $4`,
    [...id, JSON.stringify(answer)],
  );
  return { answer, replayed: false };
}

/** Forgets keys whose time is over. */
export async function sweepIdempotency(db: DataSource): Promise<void> {
  await db.query('delete from idempotency_keys where expires_at <= now()');
}
