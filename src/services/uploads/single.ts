/**
 * Uploads by one presigned PUT. The key is ours and its bytes are the account's; size and, where announced, the digest
 * are signed into the URL, so the store itself refuses other bytes. Room is reserved until the upload is verified or
 * its reservation ends. URLs are never stored.
 */
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { UploadUrlRequest } from '../../domain/requests.ts';
import type { UploadUrlResponse } from '../../domain/responses.ts';
import { NAMEABLE } from '../jobs/inputs.ts';
import { inTransaction } from '../transaction.ts';
import { keptFilename, keptLogicalPath, uploadKey } from '../upload-key.ts';
import { checkContentType } from './announcement.ts';
import { quotaOf, takeRoom } from './quota.ts';

/** What uploads need. */
export interface UploadDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  /** Bytes of an account on the free plan. */
  readonly quotaBytes: number;
}

const URL_SECONDS = 3600;
/** A file that was announced and not named by anything for so long gives its room back. */
const RESERVED_SECONDS = 24 * 3600;
const MIB = 1024 ** 2;

/**
 * Announces a file and signs the PUT that stores it.
 * @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE, STORAGE_QUOTA_EXCEEDED.
 */
export async function createUploadUrl(
  deps: UploadDependencies,
  actor: Actor,
  body: UploadUrlRequest,
): Promise<UploadUrlResponse> {
  checkAnnouncement(deps.store, body);
  const uploadId = uuidv7();
  const storageKey = uploadKey(actor.accountId, uploadId, body);
  await inTransaction(deps.db, async (tx) => {
    const refusal = await takeRoom(tx, {
      accountId: actor.accountId,
      byteSize: body.size,
      quotaBytes: quotaOf(actor.plan, deps.quotaBytes),
    });
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

/**
 * Signs a fresh PUT for a file that was announced with this body.
 * @throws NOT_FOUND when the account announced no such file.
 */
export async function renewUploadUrl(
  deps: UploadDependencies,
  actor: Actor,
  storageKey: string,
  body: UploadUrlRequest,
): Promise<UploadUrlResponse> {
  const found = await deps.db.query<unknown[]>(
    `select 1 from stored_objects where storage_key = $1 and account_id = $2 and byte_size = $3 and ${NAMEABLE}`,
    [storageKey, actor.accountId, body.size],
  );
  if (found.length === 0) throw new AppError('NOT_FOUND', 'There is no such upload in this account.');
  return signUpload(deps.store, storageKey, body);
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
  checkContentType(body.contentType);
}
