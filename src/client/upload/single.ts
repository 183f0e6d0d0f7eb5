/**
 * A small file by one PUT. Its digest is signed into the address, and the store refuses other bytes; a file that is
 * written to meanwhile is refused here. Every attempt gets an address of its own for the same storage key.
 */
import { ClientError } from '../errors.ts';
import { withRetry } from '../retry.ts';
import type { UploadUrlResponse } from '../types.ts';
import type { UploadApi } from './api.ts';
import type { BufferPool } from './gates.ts';
import { assertUnchanged } from './identity.ts';
import type { SourceFile } from './identity.ts';
import { createMeter } from './meter.ts';
import type { UploadProgress } from './meter.ts';
import type { UploadedFile } from './options.ts';
import { readWhole } from './part-reader.ts';
import { putCounted, remedyOf } from './part-sender.ts';
import type { PutBody, Putter } from './put.ts';
import type { UploadWish } from './resume.ts';

/** What a single upload works with. */
export interface SingleTools {
  readonly api: UploadApi;
  readonly putter: Putter;
  /** What the file is read into. */
  readonly places: BufferPool;
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: UploadProgress) => void) | undefined;
  /** Whether a file that is stored already is not sent. */
  readonly skipStored: boolean;
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
  const place = await tools.places.take();
  try {
    const { sha256: digest, body } = await readWhole(file, place);
    const sha256 = digest.toString('hex');
    const stored = tools.skipStored ? await tools.storedAs(sha256) : null;
    if (stored !== null) return stored;
    const uploaded = await send(tools, { wish, idempotencyKey, body, sha256 }).catch(
      async (error: unknown) => {
        // An earlier call with this key stored the file, and the service does not let it be written again.
        const there = isComplete(error) ? await tools.storedAs(sha256) : null;
        if (there === null) throw error;
        return there;
      },
    );
    await assertUnchanged(file);
    return uploaded;
  } finally {
    tools.places.give(place);
  }
}

function isComplete(error: unknown): boolean {
  return error instanceof ClientError && error.code === 'UPLOAD_ALREADY_COMPLETE';
}

interface Single {
  readonly wish: UploadWish;
  readonly idempotencyKey: string;
  readonly body: PutBody;
  readonly sha256: string;
}

async function send(
  tools: SingleTools,
  { wish, idempotencyKey, body, sha256 }: Single,
): Promise<UploadedFile> {
  const { api, signal, onProgress } = tools;
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
  let known: UploadUrlResponse | null = null;
  const attempt = async (): Promise<UploadUrlResponse> => {
    try {
      known = await mint();
    } catch (error) {
      // The bytes of an attempt whose answer was lost arrived, and the service has verified them meanwhile.
      if (known !== null && isComplete(error)) return known;
      throw error;
    }
    await putCounted(tools, { url: known.uploadUrl, headers: known.headers ?? {} }, body);
    return known;
  };
  return withRetry(tools.api.retry, tools.signal, attempt, isPassing);
}
