/** Recording that uploaded objects were seen in the store, with the digests of their bytes. */
import type { StoredObject } from '../../entities/storage.ts';
import type { ObjectHead } from '../adapters/storage/storage.ts';
import type { Row } from './row.ts';
import type { Queryable } from './transaction.ts';

/** An object as it was seen in the store. `etag` is that of the bytes that have the digest. */
export interface SeenObject {
  readonly storageKey: string;
  readonly sha256: string | null;
  readonly etag: string | null;
  readonly modifiedAt: Date | null;
}

/** The ETag of the bytes that a stored object's digest was recorded for; the row of `stored_objects` is `o`. */
export const RECORDED_ETAG = `coalesce(o.etag,
  (select u.etag from uploads u where u.storage_key = o.storage_key and u.state = 'COMPLETED'))`;

/** An object as a HEAD describes it; the digest is null unless the store computed it. */
export function seenOf(head: ObjectHead): SeenObject {
  const etag = head.sha256 === null ? null : head.etag;
  return { storageKey: head.key, sha256: head.sha256, etag, modifiedAt: head.modifiedAt };
}

/**
 * Records objects as verified, in the order given: among the files of one path in a project the file that arrived last
 * is the current one, whenever it was looked at. Repeatable; a recorded digest is never replaced. Answers the digest
 * that each key has now. A key that was swept meanwhile is missing in the answer; a key under which another request
 * found other bytes has the digest of those bytes.
 */
export async function rememberVerified(
  db: Queryable,
  accountId: string,
  seen: readonly SeenObject[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await db.query<Row<StoredObject, 'storageKey' | 'sha256'>[]>(
    // The rows are locked in the order of their keys, else two requests that record the same objects could deadlock.
    `with locked as materialized (
       select from stored_objects where account_id = $1 and storage_key = any($2::text[])
       order by storage_key for no key update),
     done as (
       update stored_objects o set state = 'VERIFIED', sha256 = coalesce(o.sha256, seen.sha256),
         etag = case when coalesce(o.sha256, seen.sha256) = seen.sha256 then seen.etag else o.etag end,
         verified_at = coalesce(o.verified_at,
           least(now(), greatest(o.created_at, seen.modified_at)) + seen.place * interval '1 microsecond')
       from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) with ordinality
         seen (storage_key, sha256, etag, modified_at, place)
       where o.account_id = $1 and o.storage_key = seen.storage_key and o.state in ('ANNOUNCED', 'VERIFIED')
         and (select count(*) from locked) > 0
       returning o.storage_key, o.sha256)
     select * from done`,
    [
      accountId,
      seen.map(({ storageKey }) => storageKey),
      seen.map(({ sha256 }) => sha256),
      seen.map(({ etag }) => etag),
      seen.map(({ modifiedAt }) => modifiedAt),
    ],
  );
  return new Map(rows.map((row) => [row.storage_key, row.sha256]));
}
