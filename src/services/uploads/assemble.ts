/**
 * Putting the parts of an upload together. The parts are recorded before the store is asked, so that a completion that
 * was interrupted between the two steps knows which parts it named. The key is released afterwards (end.ts): until then
 * the object's row is UPLOADING, and no request can use the bytes. The digest that the completion named is recorded
 * with the object, and the attempt that verifies the upload compares the bytes with that digest.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { StoredObject } from '../../../entities/storage.ts';
import { UploadEntity } from '../../../entities/uploads.ts';
import { MultipartMissingError, PartMismatchError } from '../../adapters/storage/storage.ts';
import type { NamedPart, ObjectHead, ObjectStore, StoredPart } from '../../adapters/storage/storage.ts';
import type { Assembly, CompletionRequest } from '../../contracts/upload.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import type { FileTurns } from '../file-turns.ts';
import type { Queryable } from '../transaction.ts';
import type { UploadWork } from './work.ts';
import { countParts, incomplete, partsDigest } from './parts.ts';
import { endOf, isOpenInStore, LOST, readUpload } from './rows.ts';
import type { UploadRow } from './rows.ts';

const OBJECT_WAIT_MS = 120_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Puts the parts together when the store has the very parts that the request compared. Repeatable: an upload that is
 * put together already, or has ended, is answered as it stands.
 */
export async function assembleUpload(
  work: UploadWork,
  { uploadId, request }: { readonly uploadId: string; readonly request: CompletionRequest },
): Promise<Assembly> {
  const row = await readUpload(work.db, uploadId);
  if (row === null) throw invariantBroken(`There is no upload ${uploadId}.`);
  const end = endOf(row);
  if (end !== null) return { kind: 'ended', end };
  const announced = request.sha256 ?? row.announced_sha256;
  if (row.announced_sha256 !== null && announced !== row.announced_sha256) {
    return refused(
      'CHECKSUM_MISMATCH',
      'sha256: differs from the digest of this file that was announced before.',
    );
  }
  if (row.state === 'VERIFYING') return accept(work, row, announced, row.etag);
  const problem = await putTogether(work, row, request);
  if (problem !== null) return problem;
  return takeStock(work, row, announced);
}

/** Assembles an upload in a turn of the upload's account, once there are parts to put together. @throws NoTurnError. */
export async function assembleInTurn(
  { turns, ...work }: UploadWork & { readonly turns: FileTurns },
  asked: { readonly uploadId: string; readonly request: CompletionRequest },
): Promise<Assembly> {
  const { uploadId } = asked;
  const row = await readUpload(work.db, uploadId);
  if (row?.state !== 'OPEN') return assembleUpload(work, asked);
  return turns.during({ id: uploadId, accountId: row.account_id }, () => assembleUpload(work, asked));
}

async function putTogether(
  { db, store }: UploadWork,
  row: UploadRow,
  request: CompletionRequest,
): Promise<Assembly | null> {
  const { storage_key: key, store_upload_id: storeUploadId } = row;
  if (storeUploadId === null) return refused('UPLOAD_INCOMPLETE', 'No part has been sent yet.');
  const stored = await store.listParts(key, storeUploadId);
  if (stored === null) {
    // The store has no multipart upload any more. When parts are recorded, an interrupted attempt made the object, or
    // the store has lost it. The attempt may have recorded the parts since the row was read.
    const now = await readUpload(db, row.id);
    return now === null || isOpenInStore(now) ? failed(LOST) : null;
  }
  const counted = countParts(row, stored);
  const missing = incomplete(counted);
  if (missing !== null) {
    // A store that keeps no parts beside an object lists no parts once an interrupted attempt has made the object.
    const made = row.parts === null ? null : await store.head(key);
    if (made === null || row.parts === null) return refused('UPLOAD_INCOMPLETE', missing);
    return complete(store, row, storeUploadId, row.parts);
  }
  if (partsDigest(counted.received) !== request.partsSha256) {
    return refused('UPLOAD_INCOMPLETE', 'Parts were sent again meanwhile. Repeat the call.');
  }
  const { affected } = await db
    .getRepository(UploadEntity)
    .update(
      { id: row.id, state: 'OPEN' },
      { parts: counted.received.map(recorded), partsSha256: request.partsSha256 },
    );
  // The upload has ended meanwhile and was cleared away, so no object is made of its parts.
  if (affected === 0) return endedMeanwhile(db, row.id);
  return complete(store, row, storeUploadId, counted.received);
}

/** Asks the store to make the object. Repeatable. Null: the object is there. */
async function complete(
  store: ObjectStore,
  row: UploadRow,
  storeUploadId: string,
  parts: readonly NamedPart[],
): Promise<Assembly | null> {
  try {
    await store.completeMultipart(row.storage_key, storeUploadId, parts);
    return null;
  } catch (error) {
    if (error instanceof PartMismatchError) return refused('UPLOAD_INCOMPLETE', error.message);
    if (error instanceof MultipartMissingError) return failed(LOST);
    throw error;
  }
}

/** Checks the size of the object that the store has made; the upload then waits for its digest or its release. */
async function takeStock(work: UploadWork, row: UploadRow, announced: string | null): Promise<Assembly> {
  const head = await awaitObject(work.store, row.storage_key);
  if (head === null) return failed(LOST);
  if (head.byteSize !== row.byte_size) {
    const message = `The stored object has ${head.byteSize} bytes, not ${row.byte_size}, and was removed. Upload the file again.`;
    return { kind: 'failed', code: 'SIZE_MISMATCH', message };
  }
  const assembly = await accept(work, row, announced, head.etag);
  // The upload ended while the store was still making the object, so the end did not remove the object.
  if (assembly.kind === 'ended' && assembly.end.state !== 'COMPLETED')
    await work.store.remove([row.storage_key]);
  return assembly;
}

/** Accepts the completion with its digest: a later completion cannot get the key released without this digest. */
async function accept(
  { db }: UploadWork,
  row: UploadRow,
  sha256: string | null,
  etag: string | null,
): Promise<Assembly> {
  const [accepted] = await db.query<{ readonly sha256: StoredObject['announcedSha256'] }[]>(
    `with done as (
       update uploads set state = 'VERIFYING', etag = $2,
         integrity = case when checksum_algorithm = 'sha256'
           and not exists (select 1 from jsonb_array_elements(parts) p where p->>'checksumSha256' is null)
           then 'parts-sha256' else 'size' end
       where id = $1 and state in ('OPEN', 'VERIFYING') returning storage_key),
     object as (
       update stored_objects o set announced_sha256 = coalesce(o.announced_sha256, $3)
       from done where o.storage_key = done.storage_key returning o.announced_sha256)
     select announced_sha256 as sha256 from object`,
    [row.id, etag, sha256],
  );
  return accepted === undefined ? endedMeanwhile(db, row.id) : { kind: 'assembled', sha256: accepted.sha256 };
}

async function endedMeanwhile(db: Queryable, uploadId: string): Promise<Assembly> {
  const row = await readUpload(db, uploadId);
  const end = row === null ? null : endOf(row);
  // Another attempt of this activity is ahead of this one; the next attempt finds what that attempt has recorded.
  if (end === null) throw new Error(`The upload ${uploadId} is put together by another attempt.`);
  return { kind: 'ended', end };
}

/**
 * While a store still works on a first completion, it may answer a repeated completion, or list no parts any more; the
 * object appears later. An object that does not appear within the wait was lost with the store.
 */
async function awaitObject(store: ObjectStore, key: string): Promise<ObjectHead | null> {
  const until = performance.now() + OBJECT_WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
    const head = await store.head(key);
    if (head !== null || performance.now() > until) return head;
    await sleep(pauseMs);
  }
}

function recorded({ partNumber, etag, byteSize, checksumSha256 }: StoredPart): StoredPart {
  return { partNumber, etag, byteSize, checksumSha256 };
}

function refused(code: 'UPLOAD_INCOMPLETE' | 'CHECKSUM_MISMATCH', message: string): Assembly {
  return { kind: 'refused', code, message };
}

function failed(message: string): Assembly {
  return { kind: 'failed', code: 'UPLOAD_ABORTED', message };
}
