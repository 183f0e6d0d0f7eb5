/** Addresses for parts. Each is bound to the exact length of its part and, in checksum mode, to its digest. */
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { partBytes } from '../../domain/uploads.ts';
import type { MultipartPartUrlsRequest } from '../../domain/uploads.ts';
import type { UploadWork } from './work.ts';
import { checkNumbers, demandChecksums } from './parts.ts';
import { ownedUpload, refuseEnded } from './rows.ts';
import type { UploadRow } from './rows.ts';
import type { MultipartPartUrlsResponse } from '../../domain/answers.ts';

/** The life of an address for a part. */
export const URL_SECONDS = 3600;

/** A part with its address. */
export interface SignedPart {
  readonly partNumber: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Mints addresses for parts of an open upload, also in place of expired ones.
 * @throws NOT_FOUND, VALIDATION_ERROR, PART_CHECKSUM_REQUIRED, PART_CHECKSUM_FORBIDDEN, UPLOAD_ALREADY_COMPLETE,
 * UPLOAD_EXPIRED, UPLOAD_ABORTED.
 */
export async function partUrls(
  { db, store }: UploadWork,
  actor: Actor,
  uploadId: string,
  { parts }: MultipartPartUrlsRequest,
): Promise<MultipartPartUrlsResponse> {
  const row = await ownedUpload(db, actor, uploadId);
  refuseEnded(row);
  if (row.state === 'COMPLETED' || row.state === 'VERIFYING') {
    throw new AppError('UPLOAD_ALREADY_COMPLETE', 'The upload is complete and takes no more parts.');
  }
  checkNumbers(row, parts);
  demandChecksums(row, parts);
  const forbidden = parts.findIndex(({ checksumSha256 }) => checksumSha256 !== undefined);
  if (row.checksum_algorithm === null && forbidden >= 0) {
    throw new AppError(
      'PART_CHECKSUM_FORBIDDEN',
      `parts.${forbidden}.checksumSha256: must be left out, because the upload was started without part checksums.`,
    );
  }
  return {
    uploadId: row.id,
    parts: await signParts(store, row, parts),
    partSize: row.part_size,
    partCount: row.part_count,
    expiresIn: URL_SECONDS,
    provider: row.provider,
  };
}

/**
 * Signs the PUT of each part. The length is signed but not among the answered headers, because every client sends it
 * anyway.
 */
export async function signParts(
  store: ObjectStore,
  row: UploadRow,
  parts: MultipartPartUrlsRequest['parts'],
): Promise<SignedPart[]> {
  const { storage_key: key, store_upload_id: storeUploadId } = row;
  if (storeUploadId === null) {
    throw new AppError('SERVICE_UNAVAILABLE', 'The upload is being opened. Repeat the call.', {
      retryAfterSeconds: 1,
    });
  }
  const plan = { partSize: row.part_size, partCount: row.part_count };
  return Promise.all(
    parts.map(async ({ partNumber, checksumSha256 }) => {
      const signed = await store.signPart(key, storeUploadId, partNumber, {
        expiresInSeconds: URL_SECONDS,
        byteSize: partBytes(plan, row.byte_size, partNumber),
        ...(checksumSha256 === undefined ? {} : { checksumSha256 }),
      });
      return { partNumber, url: signed.url, headers: withoutLength(signed.headers) };
    }),
  );
}

function withoutLength(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'));
}
