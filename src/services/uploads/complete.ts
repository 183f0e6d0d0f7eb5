/**
 * Completing and aborting, as the API asks for it. What can be told at once is told at once; the rest the upload's
 * workflow carries out, and this only waits for it. Repeating either call gives the one answer.
 */
import type { UploadAnswer } from '../../adapters/temporal/uploads.ts';
import type { CompletionRequest, UploadEnd, UploadOutcome } from '../../contracts/upload.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { MultipartCompleteRequest, MultipartCompleteResponse } from '../../domain/uploads.ts';
import { ask } from './asking.ts';
import type { MultipartDependencies } from './init.ts';
import { checkNumbers, compareParts, countParts, demandChecksums, partsDigest } from './parts.ts';
import { carryOf, endOf, ownedUpload, readUpload, refuseEnded } from './rows.ts';
import type { UploadRow } from './rows.ts';

const WAIT_SECONDS = 25;
const RETRY_AFTER_SECONDS = 5;
const OTHER_DIGEST = 'sha256: differs from the digest of this file that was announced before.';
const OTHER_BYTES = 'sha256: differs from the digest of the stored bytes. Upload the file again.';

/** Completing and aborting of one api process. */
export interface UploadEndings {
  /**
   * @throws NOT_FOUND, VALIDATION_ERROR, PART_CHECKSUM_REQUIRED, UPLOAD_INCOMPLETE, SIZE_MISMATCH, CHECKSUM_MISMATCH,
   * UPLOAD_EXPIRED, UPLOAD_ABORTED, SERVICE_UNAVAILABLE.
   */
  complete(
    actor: Actor,
    uploadId: string,
    body: MultipartCompleteRequest,
  ): Promise<MultipartCompleteResponse>;
  /** @throws NOT_FOUND, UPLOAD_ALREADY_COMPLETE, SERVICE_UNAVAILABLE. */
  abort(actor: Actor, uploadId: string): Promise<void>;
}

/** Makes them. */
export function createUploadEndings(deps: MultipartDependencies): UploadEndings {
  /** Equal calls of this process that are being decided: they share one message, of which a workflow takes few. */
  const open = new Map<string, Promise<UploadOutcome>>();
  const once = (name: string, send: () => Promise<UploadOutcome>): Promise<UploadOutcome> => {
    const running = open.get(name);
    if (running !== undefined) return running;
    const first = send().finally(() => open.delete(name));
    open.set(name, first);
    return first;
  };

  return {
    async complete(actor, uploadId, body) {
      const row = await ownedUpload(deps.db, actor, uploadId);
      const sha256 = body.sha256?.toLowerCase() ?? null;
      const end = endOf(row);
      if (end !== null) return presentEnd(row, end, sha256);
      const request = await requestOf(deps, row, body, sha256);
      if ('state' in request) return presentEnd(row, request, sha256);
      const outcome = await once(`${uploadId}/${request.partsSha256}/${request.sha256 ?? ''}`, () =>
        decide(deps, actor, row, (leftMs) =>
          deps.workflows.complete({ accountId: row.account_id, carry: carryOf(row) }, request, leftMs),
        ),
      );
      if (outcome.kind === 'refused') {
        throw new AppError(outcome.code, outcome.message, { retryAfterSeconds: 1 });
      }
      return presentEnd(row, outcome.end, sha256);
    },

    async abort(actor, uploadId) {
      const row = await ownedUpload(deps.db, actor, uploadId);
      const end = endOf(row) ?? (await abortOpen(deps, actor, row, once));
      if (end.state !== 'COMPLETED') return;
      throw new AppError('UPLOAD_ALREADY_COMPLETE', 'The upload is complete and cannot be aborted.');
    },
  };
}

async function abortOpen(
  deps: MultipartDependencies,
  actor: Actor,
  row: UploadRow,
  once: (name: string, send: () => Promise<UploadOutcome>) => Promise<UploadOutcome>,
): Promise<UploadEnd> {
  const outcome = await once(`${row.id}/abort`, () =>
    decide(deps, actor, row, (leftMs) =>
      deps.workflows.abort({ accountId: row.account_id, carry: carryOf(row) }, leftMs),
    ),
  );
  if (outcome.kind === 'refused') throw new AppError(outcome.code, outcome.message);
  return outcome.end;
}

/** Waits for what the workflow makes of a message; what it has recorded counts when its answer is lost. */
async function decide(
  deps: MultipartDependencies,
  actor: Actor,
  row: UploadRow,
  send: (leftMs: number) => Promise<UploadAnswer<UploadOutcome>>,
): Promise<UploadOutcome> {
  const waitMs = (deps.completeWaitSeconds ?? WAIT_SECONDS) * 1000;
  const answer = await ask(waitMs, send, async () => {
    const end = endOf(await ownedUpload(deps.db, actor, row.id));
    return end === null ? null : ({ kind: 'ended', end } as const);
  });
  if (answer.kind === 'decided') return answer.decision;
  deps.log.warn(
    { uploadId: row.id, outcome: answer.kind, err: answer.cause },
    'an upload was not decided in time',
  );
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    'The upload is still being worked on, or its stored bytes are being verified. Repeat the call after Retry-After seconds: it gives the one answer.',
    { cause: answer.cause, retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/**
 * Compares what is named with what the store has; what travels to the workflow is a digest of the latter. An end, when
 * the upload has ended meanwhile.
 */
async function requestOf(
  { db, store }: MultipartDependencies,
  row: UploadRow,
  body: MultipartCompleteRequest,
  sha256: string | null,
): Promise<CompletionRequest | UploadEnd> {
  refuseEnded(row);
  checkNumbers(row, body.parts);
  demandChecksums(row, body.parts);
  if (sha256 !== null && row.announced_sha256 !== null && sha256 !== row.announced_sha256) {
    throw new AppError('CHECKSUM_MISMATCH', OTHER_DIGEST);
  }
  const stored =
    row.store_upload_id === null || row.state === 'VERIFYING'
      ? null
      : await store.listParts(row.storage_key, row.store_upload_id);
  const counted = countParts(row, stored ?? []);
  if (counted.missing.length > 0) {
    // Put together by another call, perhaps since the row was read: it is asked for that one's outcome.
    const now = (await readUpload(db, row.id)) ?? row;
    const end = endOf(now);
    if (end !== null) return end;
    if (now.parts_sha256 !== null) return { partsSha256: now.parts_sha256, sha256 };
  }
  compareParts(row, body.parts, counted);
  return { partsSha256: partsDigest(counted.received), sha256 };
}

function presentEnd(row: UploadRow, end: UploadEnd, sha256: string | null): MultipartCompleteResponse {
  if (end.state !== 'COMPLETED') throw new AppError(end.code, end.message);
  const { file } = end;
  if (sha256 !== null && file.sha256 !== null && sha256 !== file.sha256) {
    throw new AppError('CHECKSUM_MISMATCH', OTHER_DIGEST);
  }
  // Nobody announced one, but an artifact or a job may have had the bytes read since.
  if (sha256 !== null && row.sha256 !== null && sha256 !== row.sha256) {
    throw new AppError('CHECKSUM_MISMATCH', OTHER_BYTES);
  }
  return {
    key: row.storage_key,
    size: row.byte_size,
    ...(file.etag === null ? {} : { etag: file.etag }),
    verified: true,
    integrity: file.integrity,
    provider: row.provider,
    ...(file.sha256 === null ? {} : { sha256: file.sha256 }),
  };
}
