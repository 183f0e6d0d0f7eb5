/**
 * One file in parts. An upload in parts guarantees that the stored file is what was read here, in one piece: every part
 * is hashed as it is read, a file that changes meanwhile is refused, and what an earlier attempt sent counts only when
 * its digest is the one that is read now. An attempt that ends early keeps its journal, and the next one sends what is
 * missing; without a journal nobody could go on, so the upload is aborted. An upload that the store has lost is started
 * once more; an upload that turns out to be complete is completed again, and the service answers as it did before.
 */
import { CLIENT_CODES, ClientError } from '../errors.ts';
import type { MultipartCompleteRequest, MultipartCompleteResponse } from '../types.ts';
import type { UploadApi } from './api.ts';
import { assertUnchanged } from './identity.ts';
import type { Journal } from './journal.ts';
import { createMeter } from './meter.ts';
import { USUAL_CONCURRENCY } from './options.ts';
import type { Transfer, UploadedFile } from './options.ts';
import { createPace } from './pace.ts';
import { createPartReader } from './part-reader.ts';
import { remedyOf, TransferRefusal } from './remedy.ts';
import { isGone, resumeOrStart, startAnew } from './resume.ts';
import type { OpenUpload } from './resume.ts';
import { sendParts } from './send-parts.ts';
import type { SentPart } from './send-parts.ts';

/** An uploaded file and the id under which the service knows it. */
export interface MultipartResult extends UploadedFile {
  readonly uploadId: string;
}

/** Codes with which the service says that an upload is over for good. */
const OVER = new Set<string>([
  'UPLOAD_ABORTED',
  'UPLOAD_ALREADY_COMPLETE',
  'UPLOAD_EXPIRED',
  'CHECKSUM_MISMATCH',
  'SIZE_MISMATCH',
  'NOT_FOUND',
  CLIENT_CODES.fileChanged,
]);
/** A completion that reads the stored file answers "not yet" every 25 s; slower than this it never is. */
const SLOWEST_VERIFIED_BYTES = 25 * 20_000_000;

/** Uploads a file in parts. */
export async function uploadMultipart(transfer: Transfer, journal: Journal | null): Promise<MultipartResult> {
  let upload = await resumeOrStart(transfer, journal, journal?.found ?? null);
  const tried = new Set<Detour>();
  for (;;) {
    try {
      const result = await sendAll(transfer, journal, upload);
      await journal?.remove();
      return result;
    } catch (error) {
      const detour = await detourOf(transfer, { upload, error, isJournaled: journal !== null });
      if (detour === null || tried.has(detour)) {
        await leave(transfer.api, journal, upload, error);
        throw error;
      }
      tried.add(detour);
      upload =
        detour === 'anew'
          ? await startAnew(transfer, journal, null)
          : await resumeOrStart(transfer, journal, (await journal?.reread()) ?? null);
    }
  }
}

/** Another way to store a file whose upload has failed: a new upload, or the journal read again. Each is tried once. */
type Detour = 'anew' | 'resume';

const NOT_FOUND = 404;

interface Failure {
  readonly upload: OpenUpload;
  readonly error: unknown;
  readonly isJournaled: boolean;
}

async function detourOf(transfer: Transfer, { upload, error, isJournaled }: Failure): Promise<Detour | null> {
  if (!(error instanceof ClientError) || transfer.signal.aborted) return null;
  const isComplete = error.code === 'UPLOAD_ALREADY_COMPLETE';
  // The upload was completed with other bytes, or nobody knows whether it was completed with these.
  if (upload.isEnded) return isComplete || error.code === 'CHECKSUM_MISMATCH' ? 'anew' : null;
  if (isComplete && isJournaled) return 'resume';
  if (!(error instanceof TransferRefusal) || error.status !== NOT_FOUND) return null;
  // The store may know nothing of the upload any more; the service says whether that is its end.
  return (await isGone(transfer, upload.uploadId).catch(() => false)) ? 'anew' : null;
}

/** Cleans up as far as nobody can go on. */
async function leave(
  api: UploadApi,
  journal: Journal | null,
  upload: OpenUpload,
  error: unknown,
): Promise<void> {
  const code = error instanceof ClientError ? error.code : '';
  const isOver = OVER.has(code);
  if (journal !== null && !isOver) return;
  if (!isOver || code === CLIENT_CODES.fileChanged) {
    // The service aborts the upload in seven days anyhow, so a failed abort does not replace the error of the upload.
    await api.abort(upload.uploadId).catch(() => undefined);
  }
  await journal?.remove();
}

async function sendAll(
  transfer: Transfer,
  journal: Journal | null,
  upload: OpenUpload,
): Promise<MultipartResult> {
  const { options, source } = transfer;
  const { sizeBytes } = source.identity;
  const reader = createPartReader(source, { ...upload, sizeBytes }, options.concurrency ?? USUAL_CONCURRENCY);
  const pace = createPace(reader.most, (error) => remedyOf(error) === 'wait');
  const meter = createMeter({
    totalBytes: sizeBytes,
    totalParts: upload.partCount,
    concurrency: () => pace.limit,
    onProgress: options.onProgress,
  });
  const parts = await sendParts({ ...transfer, journal, meter, pace }, upload, reader);
  await assertUnchanged(source);
  meter.enter('verifying');
  const sha256 = reader.wholeSha256();
  const answer = await complete(transfer, upload, parts, sha256);
  meter.enter('done');
  return {
    uploadId: upload.uploadId,
    storageKey: answer.key,
    byteSize: answer.size,
    sha256,
    integrity: answer.integrity,
    skipped: false,
    resumedBytes: parts.reduce((sum, part) => sum + (part.wasSent ? 0 : part.byteLength), 0),
  };
}

/** In checksum mode digests name the parts; else their etags, where the store gives any. */
async function complete(
  { api, signal, wish }: Transfer,
  upload: OpenUpload,
  parts: readonly SentPart[],
  sha256: string,
): Promise<MultipartCompleteResponse> {
  const named = (part: SentPart): MultipartCompleteRequest['parts'][number] => {
    if (upload.isChecked) return { partNumber: part.number, checksumSha256: part.sha256.toString('base64') };
    return { partNumber: part.number, ...(part.etag === null ? {} : { etag: part.etag }) };
  };
  // An upload that was completed elsewhere is compared with the file, unless every part is known to be the same.
  const isProven = !upload.isEnded || parts.every(({ isKnown }) => isKnown);
  const request = { parts: parts.map(named), ...(wish.verifyWhole || !isProven ? { sha256 } : {}) };
  const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const attempts = api.retry.attempts + ('sha256' in request ? Math.ceil(size / SLOWEST_VERIFIED_BYTES) : 0);
  return api.complete(upload.uploadId, request, { signal, attempts });
}
