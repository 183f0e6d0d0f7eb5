/**
 * Files that an account uploaded, at the moment at which a request names one of them: whether the file may be named,
 * whether its bytes are complete, and whether they are those that were announced or recorded.
 */
import type { DataSource } from 'typeorm';

import type { StoredObject } from '../../../entities/storage.ts';
import type { ObjectHead, ObjectStore } from '../../adapters/storage/storage.ts';
import { AppError } from '../../domain/errors.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Row } from '../row.ts';
import { isUnchanged } from '../stored-objects/stored-digests.ts';
import type { DigestReader } from '../stored-objects/stored-digests.ts';
import { seenOf } from '../verified-objects.ts';
import type { SeenObject } from '../verified-objects.ts';

/** The database, the store and the reader of digests by which a named file is looked at. */
export interface NamedFileDependencies {
  readonly db: DataSource;
  readonly store: ObjectStore;
  readonly digests: DigestReader;
}

/** An uploaded object as the database has it. */
export interface UploadedObject extends Row<
  StoredObject,
  'storageKey' | 'byteSize' | 'announcedSha256' | 'sha256' | 'etag'
> {
  /** Whether the multipart upload of the object is not complete, so that bytes under its key are not released. */
  readonly uploading: boolean;
}

/** An uploaded object that is as announced, with what the store says of it. */
export interface VerifiedUpload extends SeenObject {
  readonly head: ObjectHead;
}

/**
 * Condition on `stored_objects`: a request may name the file. A file that no request named in time is about to be
 * swept, unless the file belongs to a project and has arrived: such a file stays.
 */
export const NAMEABLE = `(state in ('VERIFIED', 'UPLOADING')
  or state = 'ANNOUNCED' and (expires_at > now() or project_id is not null))`;

/**
 * Holds an uploaded object against what was announced, or against the digest that was recorded for it.
 * @throws INPUT_NOT_FOUND where the bytes were there and are gone, UPLOAD_INCOMPLETE, SIZE_MISMATCH, CHECKSUM_MISMATCH.
 */
export async function verifyUpload(
  { store, digests }: Pick<NamedFileDependencies, 'store' | 'digests'>,
  object: UploadedObject,
  path: string,
): Promise<VerifiedUpload> {
  if (object.uploading) {
    throw new AppError(
      'UPLOAD_INCOMPLETE',
      `${path}: the multipart upload of this file is not complete. Complete it with POST /api/v1/uploads/{uploadId}/complete, then repeat the request.`,
      { retryAfterSeconds: 5 },
    );
  }
  const head = await store.head(object.storage_key);
  if (head === null) {
    // A recorded digest shows that the bytes were there and are gone, so a caller who waited for the upload would wait in vain.
    if (object.sha256 !== null) throw goneSince(path);
    throw new AppError(
      'UPLOAD_INCOMPLETE',
      `${path}: the file has not been uploaded yet. PUT its bytes to the upload URL, then repeat the request.`,
      { retryAfterSeconds: 5 },
    );
  }
  if (head.byteSize !== object.byte_size) {
    throw new AppError(
      'SIZE_MISMATCH',
      `${path}: ${object.byte_size} bytes were announced, ${head.byteSize} are stored. Upload the file again.`,
    );
  }
  const { sha256, etag, announced_sha256: announced } = object;
  if (sha256 !== null) {
    if (!(await isUnchanged(digests, { sha256, etag }, head))) throw changedSince(path);
    return { ...seenOf(head), sha256, etag: head.etag, head };
  }
  if (announced !== null && head.sha256 !== null && head.sha256 !== announced) {
    throw new AppError(
      'CHECKSUM_MISMATCH',
      `${path}: the stored bytes have another SHA-256 than announced. Upload the file again.`,
    );
  }
  // An announced digest that the store did not check is a claim only; a caller that needs the digest reads the bytes.
  return { ...seenOf(head), head };
}

/** The refusal of a file whose bytes were there and are not in the store any more. */
export function goneSince(path: string, code: ErrorCode = 'INPUT_NOT_FOUND'): AppError {
  return new AppError(
    code,
    `${path}: the file is not stored any more. Upload it again as a new file, and name that one.`,
  );
}

/** The refusal of a file whose address was used once more after its digest had been recorded. */
export function changedSince(path: string): AppError {
  return new AppError(
    'CHECKSUM_MISMATCH',
    `${path}: the file was changed after it was verified. Upload it as a new file, and name that one.`,
  );
}
