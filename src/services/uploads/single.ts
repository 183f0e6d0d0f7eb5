/**
 * Uploads by one presigned PUT. The key is ours and its bytes are the account's; size and, where announced, the digest
 * are signed into the URL, so the store itself refuses other bytes. Room is taken until the file is removed: by the
 * sweep, when it was not verified in time. URLs are never stored.
 */
import type { DataSource } from 'typeorm';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import type { StoredObject } from '../../../entities/storage.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { keyScopeOf } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError, keyReused } from '../../domain/errors.ts';
import type { UploadUrlRequest } from '../../domain/requests.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable, Tx } from '../transaction.ts';
import { keptFilename, keptLogicalPath, uploadKey } from '../upload-key.ts';
import { quotaOf, takeRoom } from './quota.ts';
import type { PlanQuotas } from './quota.ts';
import type { UploadUrlResponse } from '../../domain/answers.ts';

/** The database, the store and the quotas by which files are announced. */
export interface UploadDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly quotaBytes: PlanQuotas;
}

/** An announced file as its row tells it. */
interface AnnouncedRow extends Row<
  StoredObject,
  'storageKey' | 'contentType' | 'byteSize' | 'announcedSha256' | 'state'
> {
  readonly late: boolean;
}

/** Namespace of upload ids that are derived from an idempotency key. */
const UPLOAD_IDS = '5e4c1a35-0b3a-5c55-8f0e-8b1f3c1d7a64';
const URL_SECONDS = 3600;
/** An announced file that no request has named for this long gives its room back. */
const RESERVED_SECONDS = 24 * 3600;
/** A client that stores a file at the last moment of the address has as long again to name the file. */
const AWAITED_SECONDS = 2 * URL_SECONDS;
const MIB = 1024 ** 2;
const ANNOUNCED = `
  select storage_key, content_type, byte_size, announced_sha256, state, expires_at <= now() as late from stored_objects`;

/**
 * Announces a file and signs the PUT that stores it. With an idempotency key a repeat names the same file and reserves
 * nothing more, whatever became of the first call.
 * @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE, STORAGE_QUOTA_EXCEEDED, IDEMPOTENCY_KEY_REUSED, UPLOAD_ALREADY_COMPLETE,
 * UPLOAD_EXPIRED.
 */
export async function createUploadUrl(
  deps: UploadDependencies,
  actor: Actor,
  body: UploadUrlRequest,
  idempotencyKey: string | null = null,
): Promise<UploadUrlResponse> {
  checkAnnouncement(deps.store, body);
  const uploadId =
    idempotencyKey === null
      ? uuidv7()
      : uuidv5(`${keyScopeOf(actor)}/uploads.url/${idempotencyKey}`, UPLOAD_IDS);
  const storageKey = uploadKey(actor.accountId, uploadId, body);
  await inTransaction(deps.db, async (tx) => {
    // The lock of the account's room also makes two attempts of one announcement run one after the other.
    const refusal = await takeRoom(tx, {
      accountId: actor.accountId,
      byteSize: body.size,
      quotaBytes: quotaOf(actor.plan, deps.quotaBytes),
    });
    if (idempotencyKey !== null && (await isRepeat(tx, deps.store, uploadId, storageKey, body))) return;
    if (refusal !== null) throw new AppError('STORAGE_QUOTA_EXCEEDED', refusal);
    await tx.query(
      `insert into stored_objects (storage_key, account_id, upload_id, filename, content_type, byte_size,
         announced_sha256, project_id, logical_path, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10))`,
      [
        storageKey,
        actor.accountId,
        uploadId,
        keptFilename(body),
        body.contentType,
        body.size,
        body.sha256?.toLowerCase() ?? null,
        body.projectId ?? null,
        keptLogicalPath(body),
        RESERVED_SECONDS,
      ],
    );
  });
  return signUpload(deps.store, storageKey, body);
}

/** Whether the file was announced before under this id, and its bytes are still expected. */
async function isRepeat(
  tx: Tx,
  store: ObjectStore,
  uploadId: string,
  storageKey: string,
  body: UploadUrlRequest,
): Promise<boolean> {
  const [row] = await tx.query<AnnouncedRow[]>(`${ANNOUNCED} where upload_id = $1`, [uploadId]);
  if (row === undefined) return false;
  const isSame =
    row.storage_key === storageKey &&
    row.byte_size === body.size &&
    row.content_type === body.contentType &&
    row.announced_sha256 === (body.sha256?.toLowerCase() ?? null);
  if (!isSame) {
    throw keyReused();
  }
  await keepWaiting(tx, store, row, body);
  return true;
}

/**
 * Signs a fresh PUT for a file that was announced with this body.
 * @throws NOT_FOUND when the account announced no such file; UPLOAD_ALREADY_COMPLETE, UPLOAD_EXPIRED.
 */
export async function renewUploadUrl(
  deps: UploadDependencies,
  actor: Actor,
  storageKey: string,
  body: UploadUrlRequest,
): Promise<UploadUrlResponse> {
  const [row] = await deps.db.query<AnnouncedRow[]>(
    `${ANNOUNCED} where storage_key = $1 and account_id = $2 and byte_size = $3`,
    [storageKey, actor.accountId, body.size],
  );
  if (row === undefined || row.state === 'UPLOADING')
    throw new AppError('NOT_FOUND', 'There is no such upload in this account.');
  await keepWaiting(deps.db, deps.store, row, body);
  return signUpload(deps.store, storageKey, body);
}

/**
 * Extends the time in which a file is expected, when its address is signed once more, beyond the end of that address.
 * @throws UPLOAD_ALREADY_COMPLETE when it is verified and the PUT could change it, UPLOAD_EXPIRED.
 */
async function keepWaiting(
  db: Queryable,
  store: ObjectStore,
  row: AnnouncedRow,
  body: UploadUrlRequest,
): Promise<void> {
  if (row.state === 'VERIFIED') {
    refuseRewrite(store, row, body);
    return;
  }
  if (row.state === 'DELETED' || row.late) {
    throw new AppError(
      'UPLOAD_EXPIRED',
      'The file of this Idempotency-Key was not sent in time. Announce it again with a fresh key.',
    );
  }
  await db.query(
    `update stored_objects set expires_at = greatest(expires_at, now() + make_interval(secs => $2))
     where storage_key = $1 and state = 'ANNOUNCED'`,
    [row.storage_key, AWAITED_SECONDS],
  );
}

/**
 * Refuses to let verified bytes be written again, because the recorded digest would then belong to other bytes. When
 * the address binds the digest and the store enforces it, only the same bytes can arrive, and the address is signed.
 */
function refuseRewrite(store: ObjectStore, row: AnnouncedRow, { sha256 }: UploadUrlRequest): void {
  const { announced_sha256: bound, storage_key: storageKey } = row;
  if (store.enforcesPartChecksums && bound !== null && bound === sha256?.toLowerCase()) return;
  throw new AppError(
    'UPLOAD_ALREADY_COMPLETE',
    `The file of this Idempotency-Key is stored and verified: use its storage key ${storageKey}. Another file needs a fresh key.`,
  );
}

async function signUpload(
  store: ObjectStore,
  storageKey: string,
  body: UploadUrlRequest,
): Promise<UploadUrlResponse> {
  const signed = await store.signPut(storageKey, {
    expiresInSeconds: URL_SECONDS,
    contentType: body.contentType,
    byteSize: body.size,
    ...(body.sha256 === undefined ? {} : { sha256: body.sha256.toLowerCase() }),
  });
  return {
    uploadUrl: signed.url,
    s3Key: storageKey,
    method: 'PUT',
    expiresIn: signed.expiresInSeconds,
    headers: signed.headers,
    provider: store.provider,
  };
}

function checkAnnouncement({ maxPutBytes }: Pick<ObjectStore, 'maxPutBytes'>, body: UploadUrlRequest): void {
  if (body.size > maxPutBytes) {
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `A single PUT stores at most ${maxPutBytes / MIB} MiB. Send larger files in parts with POST /api/v1/uploads.`,
    );
  }
}
