/**
 * A small file by one PUT. It is read once, its digest is signed into the address, and the store refuses other bytes.
 * Every attempt gets an address of its own for the same storage key.
 */
import { createHash } from 'node:crypto';

import { withRetry } from '../retry.ts';
import type { UploadUrlResponse } from '../types.ts';
import type { UploadApi } from './api.ts';
import { assertUnchanged, readExactly } from './identity.ts';
import type { SourceFile } from './identity.ts';
import { createMeter } from './meter.ts';
import type { UploadProgress } from './meter.ts';
import type { UploadedFile } from './options.ts';
import { putCounted, remedyOf } from './part-sender.ts';
import { slicesOf } from './put.ts';
import type { PutBody, Putter } from './put.ts';
import type { UploadWish } from './resume.ts';

/** What a single upload works with. */
export interface SingleTools {
  readonly api: UploadApi;
  readonly putter: Putter;
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: UploadProgress) => void) | undefined;
  /** Answers a file that is stored already with this digest. */
  readonly storedAs: (sha256: string) => Promise<UploadedFile | null>;
}

/** An address may be refused so often before the file is given up. */
const MOST_REFUSALS = 3;

/** Uploads a file by one PUT. */
export async function uploadSingle(
  tools: SingleTools,
  file: SourceFile,
  wish: UploadWish,
  idempotencyKey: string,
): Promise<UploadedFile> {
  const { api, signal, onProgress } = tools;
  const { sizeBytes } = file.identity;
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  await readExactly(file, bytes, 0);
  await assertUnchanged(file);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const stored = await tools.storedAs(sha256);
  if (stored !== null) return stored;
  const request = {
    filename: wish.filename,
    contentType: wish.contentType,
    size: sizeBytes,
    sha256,
    ...(wish.projectId === null ? {} : { projectId: wish.projectId }),
    ...(wish.logicalPath === null ? {} : { logicalPath: wish.logicalPath }),
  };
  const meter = createMeter({ totalBytes: sizeBytes, totalParts: 1, concurrency: () => 1, onProgress });
  const body = { byteLength: sizeBytes, chunks: () => slicesOf(bytes) };
  const mint = (): Promise<UploadUrlResponse> => api.createUrl(request, { signal, idempotencyKey });
  const { s3Key, provider } = await putMinted({ ...tools, meter }, mint, body);
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
  tools: Parameters<typeof putCounted>[0] & Pick<SingleTools, 'api'>,
  mint: () => Promise<UploadUrlResponse>,
  body: PutBody,
): Promise<UploadUrlResponse> {
  let refusals = 0;
  const isPassing = (error: unknown): boolean => {
    const remedy = remedyOf(error);
    // An address that has ended and bytes that arrived damaged are mended by another attempt, but not for ever.
    if (remedy === 'mint' || remedy === 'repeat') refusals += 1;
    return remedy !== 'give-up' && refusals <= MOST_REFUSALS;
  };
  const attempt = async (): Promise<UploadUrlResponse> => {
    const target = await mint();
    await putCounted(tools, { url: target.uploadUrl, headers: target.headers ?? {} }, body);
    return target;
  };
  return withRetry(tools.api.retry, tools.signal, attempt, isPassing);
}
