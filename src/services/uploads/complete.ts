/**
 * Completing and aborting, as the API asks for it. Requests that the rows decide are answered at once; everything else is carried
 * out by the upload's workflow, and the call waits for its outcome. A repeated call gets the same answer.
 */
import type { UploadAnswer } from '../../adapters/temporal/uploads.ts';
import type { CompletionRequest, UploadEnd, UploadOutcome } from '../../contracts/upload.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { MultipartCompleteRequest } from '../../domain/uploads.ts';
import { ask } from './asking.ts';
import type { MultipartDependencies } from './init.ts';
import { checkNumbers, compareParts, countParts, demandChecksums, partsDigest } from './parts.ts';
import { carryOf, endOf, isOpenInStore, ownedUpload, readUpload, refuseEnded } from './rows.ts';
import type { UploadRow } from './rows.ts';
import type { MultipartCompleteResponse } from '../../domain/answers.ts';

const WAIT_SECONDS = 25;
/** A status request for a lost upload waits this long for the end of the upload to be recorded. */
const LOST_WAIT_SECONDS = 5;
const RETRY_AFTER_SECONDS = 5;
const OTHER_DIGEST = 'sha256: differs from the digest of this file that was announced before.';
const OTHER_BYTES = 'sha256: differs from the digest of the stored bytes. Upload the file again.';
const NOT_CHECKED =
  'sha256: the file was completed without this digest being checked. Repeat the call without it, or upload the file again and name it.';
/**
 * The digest of no parts, which a completion names for an upload that the store has lost; no object is made of no
 * parts.
 */
const NO_PARTS = partsDigest([]);

/** Completing and aborting of one api process. */
export interface UploadEndings {
  /**
   * @throws NOT_FOUND, VALIDATION_ERROR, PART_CHECKSUM_REQUIRED, UPLOAD_INCOMPLETE, SIZE_MISMATCH, CHECKSUM_MISMATCH,
   * UPLOAD_ALREADY_COMPLETE, UPLOAD_EXPIRED, UPLOAD_ABORTED, SERVICE_UNAVAILABLE.
   */
  complete(
    actor: Actor,
    uploadId: string,
    body: MultipartCompleteRequest,
  ): Promise<MultipartCompleteResponse>;
  /** @throws NOT_FOUND, UPLOAD_ALREADY_COMPLETE, SERVICE_UNAVAILABLE. */
  abort(actor: Actor, uploadId: string): Promise<void>;
  /** Ends an upload whose parts the store has lost; answers false when the store knows the parts after all. */
  readonly endLost: (row: UploadRow) => Promise<boolean>;
}

/** Makes them. */
export function createUploadEndings(deps: MultipartDependencies): UploadEndings {
  /** Equal calls that this process is deciding. Equal calls share one message, because a workflow takes few messages. */
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
      if (end !== null) return presentEnd(deps, row, end, sha256);
      const request = await requestOf(deps, row, body, sha256);
      if ('state' in request) return presentEnd(deps, row, request, sha256);
      const outcome = await once(`${uploadId}/${request.partsSha256}/${request.sha256 ?? ''}`, () =>
        completeOpen(deps, row, request, WAIT_SECONDS),
      );
      if (outcome.kind === 'refused') {
        throw new AppError(outcome.code, outcome.message, { retryAfterSeconds: 1 });
      }
      return presentEnd(deps, row, outcome.end, sha256);
    },

    async abort(actor, uploadId) {
      const row = await ownedUpload(deps.db, actor, uploadId);
      const end = endOf(row) ?? endIn(await once(`${uploadId}/abort`, () => abortOpen(deps, row)));
      if (end.state !== 'COMPLETED') return;
      throw new AppError('UPLOAD_ALREADY_COMPLETE', 'The upload is complete and cannot be aborted.');
    },

    async endLost(row) {
      try {
        const request = { partsSha256: NO_PARTS, sha256: null };
        const outcome = await once(`${row.id}/lost`, () =>
          completeOpen(deps, row, request, LOST_WAIT_SECONDS),
        );
        return outcome.kind === 'ended';
      } catch (error) {
        // The upload is lost all the same; the next status request ends it.
        if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return true;
        throw error;
      }
    },
  };
}

function endIn(outcome: UploadOutcome): UploadEnd {
  if (outcome.kind === 'ended') return outcome.end;
  throw new AppError(outcome.code, outcome.message);
}

function completeOpen(
  deps: MultipartDependencies,
  row: UploadRow,
  request: CompletionRequest,
  waitSeconds: number,
): Promise<UploadOutcome> {
  const facts = { accountId: row.account_id, carry: carryOf(row) };
  return decide(deps, row, waitSeconds, (leftMs) => deps.workflows.complete(facts, request, leftMs));
}

function abortOpen(deps: MultipartDependencies, row: UploadRow): Promise<UploadOutcome> {
  const facts = { accountId: row.account_id, carry: carryOf(row) };
  return decide(deps, row, WAIT_SECONDS, (leftMs) => deps.workflows.abort(facts, leftMs));
}

/** Waits for the workflow's answer to a message; when the answer is lost, the recorded end of the upload counts. */
async function decide(
  deps: MultipartDependencies,
  row: UploadRow,
  waitSeconds: number,
  send: (leftMs: number) => Promise<UploadAnswer<UploadOutcome>>,
): Promise<UploadOutcome> {
  const waitMs = Math.min(waitSeconds, deps.completeWaitSeconds ?? waitSeconds) * 1000;
  const answer = await ask(waitMs, send, async () => {
    const now = await readUpload(deps.db, row.id);
    const end = now === null ? null : endOf(now);
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
 * Compares the parts that the body names with the parts that the store has. The request that is sent to the workflow
 * carries a digest of the store's parts. Answers the end instead when the upload has ended meanwhile.
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
    // Another call has put the parts together, perhaps since the row was read; the workflow is asked for its outcome.
    const now = (await readUpload(db, row.id)) ?? row;
    const end = endOf(now);
    if (end !== null) return end;
    if (now.parts_sha256 !== null) return { partsSha256: now.parts_sha256, sha256 };
    // The store has lost the upload; the workflow lists the parts itself and ends the upload.
    if (stored === null && isOpenInStore(now)) return { partsSha256: NO_PARTS, sha256 };
  }
  compareParts(row, body.parts, counted);
  return { partsSha256: partsDigest(counted.received), sha256 };
}

async function presentEnd(
  deps: MultipartDependencies,
  row: UploadRow,
  end: UploadEnd,
  sha256: string | null,
): Promise<MultipartCompleteResponse> {
  if (end.state !== 'COMPLETED') throw new AppError(end.code, end.message);
  const { file } = end;
  if (sha256 !== null && file.sha256 === null) await compareKnown(deps, row.id, sha256);
  if (sha256 !== null && file.sha256 !== null && sha256 !== file.sha256) {
    throw new AppError('CHECKSUM_MISMATCH', OTHER_DIGEST);
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

/**
 * Compares a digest with the recorded one of an upload that was completed without a digest: an artifact or a job may
 * have had the bytes read since.
 * @throws UPLOAD_ALREADY_COMPLETE when no digest is recorded, CHECKSUM_MISMATCH.
 */
async function compareKnown({ db }: MultipartDependencies, uploadId: string, sha256: string): Promise<void> {
  const known = (await readUpload(db, uploadId))?.sha256 ?? null;
  if (known === null) throw new AppError('UPLOAD_ALREADY_COMPLETE', NOT_CHECKED);
  if (known !== sha256) throw new AppError('CHECKSUM_MISMATCH', OTHER_BYTES);
}
