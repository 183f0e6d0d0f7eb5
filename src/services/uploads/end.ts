/**
 * The ends of an upload. An end is entered once, in one transaction over the upload and its object; a repeat answers
 * that end.
 */
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { UploadEnd } from '../../contracts/upload.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable } from '../transaction.ts';
import type { UploadWork } from './work.ts';
import { endOf, readUpload } from './rows.ts';

/** An end other than completed. */
export interface Closing {
  readonly uploadId: string;
  readonly state: 'FAILED' | 'ABORTED' | 'EXPIRED';
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * Releases the key: from now on requests may name the object. `sha256` is the digest that the object's bytes were found
 * to have. A release without the digest that an accepted completion named is refused.
 */
export async function releaseUpload(
  { db }: Pick<UploadWork, 'db'>,
  { uploadId, sha256 }: { readonly uploadId: string; readonly sha256: string | null },
): Promise<UploadEnd> {
  await inTransaction(db, async (tx) => {
    const released = await tx.query<unknown[]>(
      `with done as (
         update uploads u set state = 'COMPLETED', ended_at = now() from stored_objects o
         where u.id = $1 and u.state = 'VERIFYING' and o.storage_key = u.storage_key
           and (o.announced_sha256 is null or o.announced_sha256 = $2) 
           returning u.storage_key, u.id, u.account_id),
       told as (
         insert into events (account_id, kind, subject, payload) select account_id, 'upload.completed', id, '{}' from done),
       object as (
         update stored_objects o set state = 'VERIFIED', verified_at = now(), sha256 = $2,
           announced_sha256 = coalesce(o.announced_sha256, $2)
         from done where o.storage_key = done.storage_key and o.state = 'UPLOADING' returning 1)
       select * from object`,
      [uploadId, sha256],
    );
    if (released.length === 0 && (await recordedEnd(tx, uploadId)) === null) {
      throw invariantBroken(`The upload ${uploadId} is not put together, or not with this digest.`);
    }
  });
  return mustEnd(await recordedEnd(db, uploadId), uploadId);
}

/**
 * Ends an upload that is not completed. Everything of the upload is removed from the store first, then its room is
 * given back. An upload that has ended stays as it is.
 */
export async function closeUpload(work: UploadWork, closing: Closing): Promise<UploadEnd> {
  const { db } = work;
  const { uploadId, state, code, message } = closing;
  const row = await readUpload(db, uploadId);
  // The upload was given up before its opening was recorded, so the store was not asked for anything yet.
  if (row === null) return { state, code, message };
  const before = endOf(row);
  if (before !== null) return before;
  await clearFromStore(work, row.storage_key);
  await inTransaction(db, async (tx) => {
    await tx.query(
      `with done as (
         update uploads set state = $2, end_code = $3, end_message = $4, ended_at = now()
         where id = $1 and ended_at is null returning storage_key, id, account_id, state, end_code),
       told as (
         insert into events (account_id, kind, subject, payload)
         select account_id, 'upload.' || lower(state), id, jsonb_build_object('code', end_code) from done where state <> 'ABORTED')
       update stored_objects o set state = 'DELETED' from done
       where o.storage_key = done.storage_key and o.state = 'UPLOADING'`,
      [uploadId, state, code, message],
    );
  });
  return mustEnd(await recordedEnd(db, uploadId), uploadId);
}

/** Removes an upload from the store: its parts, the parts of attempts that no row records, and its object. */
async function clearFromStore({ store }: Pick<UploadWork, 'store'>, storageKey: string): Promise<void> {
  await abortUnder(store, storageKey);
  await store.remove([storageKey]);
}

/** Gives up every multipart upload under a prefix. */
export async function abortUnder(store: ObjectStore, prefix: string): Promise<void> {
  for await (const page of store.listMultiparts(prefix)) {
    for (const { key, storeUploadId } of page) await store.abortMultipart(key, storeUploadId);
  }
}

async function recordedEnd(db: Queryable, uploadId: string): Promise<UploadEnd | null> {
  const row = await readUpload(db, uploadId);
  return row === null ? null : endOf(row);
}

function mustEnd(end: UploadEnd | null, uploadId: string): UploadEnd {
  if (end === null) throw invariantBroken(`The upload ${uploadId} has not ended.`);
  return end;
}
