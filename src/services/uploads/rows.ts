/** The row of a multipart upload with its stored object, and what follows from its state. */
import type { StoredObject } from '../../../entities/storage.ts';
import type { Upload } from '../../../entities/uploads.ts';
import type { UploadCarry, UploadEnd } from '../../contracts/upload.ts';
import { AppError, isErrorCode } from '../../domain/errors.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes, Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';

/** The message of an upload that ended because the store has lost its parts. */
export const LOST = 'The store does not have the parts any more. Start a new upload.';

/** An upload as the database knows it. */
export interface UploadRow
  extends
    Row<Upload, UploadColumn>,
    ExactTimes<Upload, 'createdAt'>,
    Row<
      StoredObject,
      'filename' | 'contentType' | 'byteSize' | 'announcedSha256' | 'sha256' | 'projectId' | 'logicalPath'
    > {
  readonly late: boolean;
}

type UploadColumn =
  | 'id'
  | 'accountId'
  | 'storageKey'
  | 'state'
  | 'provider'
  | 'partSize'
  | 'partCount'
  | 'checksumAlgorithm'
  | 'fingerprint'
  | 'storeUploadId'
  | 'parts'
  | 'partsSha256'
  | 'etag'
  | 'integrity'
  | 'endCode'
  | 'endMessage'
  | 'expiresAt';

const COLUMNS = `u.id, u.account_id, u.storage_key, u.state, u.provider, u.part_size::bigint, u.part_count,
  u.checksum_algorithm, u.fingerprint, u.store_upload_id, u.parts, u.parts_sha256, u.etag, u.integrity, u.end_code,
  u.end_message, ${exactTime('u.created_at')} as created_at, u.expires_at, u.expires_at <= now() as late, o.filename,
  o.content_type, o.byte_size, o.announced_sha256, o.sha256, o.project_id, o.logical_path`;

/** An upload by its id, whoever's it is. */
export async function readUpload(db: Queryable, uploadId: string): Promise<UploadRow | null> {
  const [row] = await db.query<UploadRow[]>(
    `select ${COLUMNS} from uploads u join stored_objects o on o.storage_key = u.storage_key where u.id = $1`,
    [uploadId],
  );
  return row ?? null;
}

/** An upload of the account. @throws NOT_FOUND. */
export async function ownedUpload(
  db: Queryable,
  { accountId }: { readonly accountId: string },
  uploadId: string,
): Promise<UploadRow> {
  const row = await readUpload(db, uploadId);
  if (row?.account_id === accountId) return row;
  throw new AppError('NOT_FOUND', 'There is no such upload in this account.');
}

/** Finds the end of the upload; null while it is open. */
export function endOf(row: UploadRow): UploadEnd | null {
  switch (row.state) {
    case 'COMPLETED':
      return {
        state: 'COMPLETED',
        // The digest that a completion announced has been verified before the upload was completed.
        file: { etag: row.etag, integrity: row.integrity ?? 'size', sha256: row.announced_sha256 },
      };
    case 'FAILED':
    case 'ABORTED':
    case 'EXPIRED':
      return {
        state: row.state,
        code: codeOf(row.end_code),
        message: row.end_message ?? 'The upload has ended.',
      };
    case 'OPENING':
    case 'OPEN':
    case 'VERIFYING':
      return null;
    default:
      return row.state satisfies never;
  }
}

function codeOf(stored: string | null): ErrorCode {
  return stored !== null && isErrorCode(stored) ? stored : 'UPLOAD_ABORTED';
}

/**
 * Refuses an upload that ended other than completed, or whose time is over. `hint` is added to the text.
 * @throws UPLOAD_ABORTED, UPLOAD_EXPIRED.
 */
export function refuseEnded(row: UploadRow, hint = ''): void {
  const end = endOf(row);
  if (end !== null && end.state !== 'COMPLETED') {
    const code = end.state === 'EXPIRED' ? 'UPLOAD_EXPIRED' : 'UPLOAD_ABORTED';
    throw new AppError(code, `${end.message}${hint}`);
  }
  if (row.late && (row.state === 'OPENING' || row.state === 'OPEN')) {
    throw new AppError('UPLOAD_EXPIRED', `The upload was not completed in time. Start a new one.${hint}`);
  }
}

/** Whether the upload's parts should be in the store: it is open there, and no object was made of its parts. */
export function isOpenInStore(row: UploadRow): boolean {
  return row.state === 'OPEN' && row.store_upload_id !== null && row.parts === null;
}

/** The facts from which the upload's workflow is started again when it does not run. */
export function carryOf(row: UploadRow): UploadCarry {
  const expiresAt = row.expires_at.toISOString();
  return {
    uploadId: row.id,
    partCount: row.part_count,
    byteSize: row.byte_size,
    provider: row.provider,
    expiresAt,
    decision: { kind: 'opened', fingerprint: row.fingerprint, expiresAt, replay: false },
  };
}
