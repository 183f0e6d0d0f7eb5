/**
 * A small file by one PUT. The digest of the file is signed into the address, and the store refuses other bytes; a file
 * that is written to meanwhile is refused here. Every attempt gets an address of its own for the same storage key.
 */
import { randomUUID } from 'node:crypto';

import { ClientError } from '../errors.ts';
import { withRetry } from '../retry.ts';
import type { UploadUrlResponse } from '../types.ts';
import { assertUnchanged } from './identity.ts';
import { createMeter } from './meter.ts';
import type { Meter } from './meter.ts';
import type { Transfer, UploadedFile } from './options.ts';
import { readWhole } from './part-reader.ts';
import type { BufferPool } from './part-reader.ts';
import { remedyOf } from './remedy.ts';
import type { PutBody } from './put.ts';
import { findByDigest } from './stored.ts';

/** How often an address may be refused before the upload of the file fails. */
const MOST_REFUSALS = 3;

/** Uploads a file by one PUT; the file is read into one of the places. */
export async function uploadSingle(transfer: Transfer, places: BufferPool): Promise<UploadedFile> {
  const { options, source } = transfer;
  const place = await places.take();
  try {
    const { sha256: digest, body } = await readWhole(source, place);
    const sha256 = digest.toString('hex');
    const stored = options.skipStored === true ? await findByDigest(transfer, sha256) : null;
    if (stored !== null) return stored;
    const uploaded = await send(transfer, body, sha256).catch(async (error: unknown) => {
      // An earlier call with this key stored the file, and the service does not let it be written again.
      const there = isComplete(error) ? await findByDigest(transfer, sha256) : null;
      if (there === null) throw error;
      return there;
    });
    await assertUnchanged(source);
    return uploaded;
  } finally {
    places.give(place);
  }
}

function isComplete(error: unknown): boolean {
  return error instanceof ClientError && error.code === 'UPLOAD_ALREADY_COMPLETE';
}

async function send(transfer: Transfer, body: PutBody, sha256: string): Promise<UploadedFile> {
  const { api, options, signal, wish } = transfer;
  const { onProgress } = options;
  const idempotencyKey = wish.idempotencyKey ?? randomUUID();
  const sizeBytes = body.byteLength;
  const request = {
    filename: wish.filename,
    contentType: wish.contentType,
    size: sizeBytes,
    sha256,
    ...(wish.projectId === null ? {} : { projectId: wish.projectId }),
    ...(wish.logicalPath === null ? {} : { logicalPath: wish.logicalPath }),
  };
  const meter = createMeter({ totalBytes: sizeBytes, totalParts: 1, concurrency: () => 1, onProgress });
  const mint = (): Promise<UploadUrlResponse> => api.createUrl(request, { signal, idempotencyKey });
  const { s3Key, provider } = await putMinted(transfer, meter, mint, body);
  meter.partDone();
  meter.enter('done');
  return {
    storageKey: s3Key,
    byteSize: sizeBytes,
    sha256,
    integrity: provider === 'aws-s3' ? 'object-sha256' : 'size',
    skipped: false,
    resumedBytes: 0,
  };
}

async function putMinted(
  { api, putter, signal }: Transfer,
  meter: Meter,
  mint: () => Promise<UploadUrlResponse>,
  body: PutBody,
): Promise<UploadUrlResponse> {
  let refusals = 0;
  const isPassing = (error: unknown): boolean => {
    const remedy = remedyOf(error);
    // Another attempt mends an ended address and damaged bytes, but a cause that stays must end the upload.
    if (remedy === 'mint' || remedy === 'repeat') refusals += 1;
    return remedy !== 'give-up' && refusals <= MOST_REFUSALS;
  };
  let known: UploadUrlResponse | null = null;
  const attempt = async (): Promise<UploadUrlResponse> => {
    try {
      known = await mint();
    } catch (error) {
      // The bytes of an attempt whose answer was lost arrived, and the service has verified them meanwhile.
      if (known !== null && isComplete(error)) return known;
      throw error;
    }
    const target = { url: known.uploadUrl, headers: known.headers ?? {} };
    await putter.put(target, body, signal, (bytes) => meter.sent(bytes));
    return known;
  };
  return withRetry(api.retry, signal, attempt, isPassing);
}
