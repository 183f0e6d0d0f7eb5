/**
 * The start of a multipart upload, as the API asks for it: checks and the plan of the parts, then the workflow that
 * reserves the room and opens it. URLs are minted for each answer and never stored.
 */
import type { Logger } from 'pino';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { UploadWorkflows } from '../../adapters/temporal/uploads.ts';
import type { UploadTerms } from '../../contracts/upload.ts';
import { keyScopeOf } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError, keyReused } from '../../domain/errors.ts';
import { PART_URLS_PER_REQUEST, planParts } from '../../domain/uploads.ts';
import type { MultipartInitRequest } from '../../domain/uploads.ts';
import { keptFilename, keptLogicalPath, uploadKey } from '../upload-key.ts';
import { ask } from './asking.ts';
import type { UploadWork } from './work.ts';
import { quotaOf } from './quota.ts';
import type { PlanQuotas } from './quota.ts';
import { readUpload, refuseEnded } from './rows.ts';
import type { UploadRow } from './rows.ts';
import { signParts, URL_SECONDS } from './part-urls.ts';
import type { MultipartInitResponse } from '../../domain/answers.ts';

/** The workflows, the quotas and the log by which the API starts, completes and aborts multipart uploads. */
export interface MultipartDependencies extends UploadWork {
  readonly workflows: UploadWorkflows;
  readonly quotaBytes: PlanQuotas;
  readonly log: Pick<Logger, 'warn'>;
  /** The life of an upload that is not completed, and how long answers are waited for; only tests set these. */
  readonly expirySeconds?: number;
  readonly openWaitSeconds?: number;
  readonly completeWaitSeconds?: number;
}

/** A validated init with the key it was sent with. */
export interface UploadInitCommand {
  readonly body: MultipartInitRequest;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
}

/** A started upload; `replayed`: an earlier request with the same key started it. */
export interface StartedUpload {
  readonly replayed: boolean;
  readonly response: MultipartInitResponse;
}

/** Namespace of upload ids that are derived from an idempotency key. */
const UPLOAD_IDS = '0d3f3b52-6f4f-5d0b-9a3c-1f5b8f1f7c2e';
const EXPIRY_SECONDS = 7 * 24 * 3600;
const OPEN_BY_SECONDS = 60;
const OPEN_WAIT_SECONDS = 10;
/** A start without a key waits longer for the opening than the opening may take, so that no open upload goes unheard of. */
const UNNAMED_OPEN_BY_SECONDS = 10;
const UNNAMED_WAIT_SECONDS = 15;

/**
 * Starts a multipart upload. With an idempotency key a repeat names the same upload, whatever became of the first call.
 * @throws VALIDATION_ERROR, PAYLOAD_TOO_LARGE, STORAGE_QUOTA_EXCEEDED, IDEMPOTENCY_KEY_REUSED, UPLOAD_EXPIRED,
 * UPLOAD_ABORTED, UPLOAD_ALREADY_COMPLETE, SERVICE_UNAVAILABLE.
 */
export async function initUpload(
  deps: MultipartDependencies,
  actor: Actor,
  command: UploadInitCommand,
): Promise<StartedUpload> {
  const terms = await composeTerms(deps, actor, command);
  const stored = await storedInit(deps, actor, terms);
  if (stored !== null) return { replayed: true, response: await presentInit(deps.store, stored) };
  const usualSeconds = terms.isUnnamed === true ? UNNAMED_WAIT_SECONDS : OPEN_WAIT_SECONDS;
  const waitMs = (deps.openWaitSeconds ?? usualSeconds) * 1000;
  const answer = await ask(
    waitMs,
    (leftMs) => deps.workflows.open(terms, leftMs),
    async () => null,
  );
  if (answer.kind !== 'decided') {
    deps.log.warn({ uploadId: terms.uploadId, err: answer.cause }, 'an upload was not opened in time');
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'The upload was not opened in time. Repeat the call; with the same Idempotency-Key it is the same upload.',
      { cause: answer.cause, retryAfterSeconds: 5 },
    );
  }
  const { decision } = answer;
  if (decision.kind === 'refused') throw new AppError(decision.code, decision.message);
  if (decision.kind === 'expired') {
    throw new AppError('SERVICE_UNAVAILABLE', 'The upload was not opened in time. Repeat the call.', {
      retryAfterSeconds: 5,
    });
  }
  const row = await storedInit(deps, actor, terms);
  if (row === null) throw new Error(`The upload ${terms.uploadId} was opened and is not there.`);
  return { replayed: false, response: await presentInit(deps.store, row) };
}

/** Reads the answer of this init from the database; null when it has to be opened. @throws IDEMPOTENCY_KEY_REUSED. */
async function storedInit({ db }: UploadWork, actor: Actor, terms: UploadTerms): Promise<UploadRow | null> {
  const row = await readUpload(db, terms.uploadId);
  if (row === null || row.state === 'OPENING') return null;
  if (row.account_id !== actor.accountId || row.fingerprint !== terms.fingerprint) {
    throw keyReused();
  }
  return row;
}

async function composeTerms(
  deps: MultipartDependencies,
  actor: Actor,
  { body, fingerprint, idempotencyKey }: UploadInitCommand,
): Promise<UploadTerms> {
  const plan = planParts(body.size, body.partSize, deps.store.partLimits);
  if (plan === null) {
    throw new AppError('PAYLOAD_TOO_LARGE', 'The file is larger than the store can take in one object.');
  }
  const uploadId =
    idempotencyKey === null
      ? uuidv7()
      : uuidv5(`${keyScopeOf(actor)}/uploads.init/${idempotencyKey}`, UPLOAD_IDS);
  const storageKey = uploadKey(actor.accountId, uploadId, body);
  return {
    uploadId,
    accountId: actor.accountId,
    storageKey,
    filename: keptFilename(body),
    contentType: body.contentType,
    byteSize: body.size,
    announcedSha256: body.sha256?.toLowerCase() ?? null,
    projectId: body.projectId ?? null,
    logicalPath: keptLogicalPath(body),
    jobType: body.jobType?.toWellFormed().replaceAll('\0', '_') ?? null,
    ...plan,
    checksumAlgorithm: deps.store.enforcesPartChecksums ? (body.checksumAlgorithm ?? null) : null,
    provider: deps.store.multipartProvider,
    quotaBytes: quotaOf(actor.plan, deps.quotaBytes),
    fingerprint,
    openBy: await databaseTime(deps, idempotencyKey === null ? UNNAMED_OPEN_BY_SECONDS : OPEN_BY_SECONDS),
    ...(idempotencyKey === null ? { isUnnamed: true } : {}),
    expirySeconds: deps.expirySeconds ?? EXPIRY_SECONDS,
  };
}

/** A time by the database's clock, because the opening compares `openBy` with that clock. */
async function databaseTime({ db }: UploadWork, inSeconds: number): Promise<string> {
  const [row] = await db.query<{ readonly at: Date }[]>(
    'select clock_timestamp() + make_interval(secs => $1) as at',
    [inSeconds],
  );
  if (row === undefined) throw new Error('The database told no time.');
  return row.at.toISOString();
}

async function presentInit(store: ObjectStore, row: UploadRow): Promise<MultipartInitResponse> {
  // Only a repeated request finds an upload that has ended, and each further repeat would find the same.
  refuseEnded(row, ' It needs a fresh Idempotency-Key.');
  if (row.state !== 'OPEN') {
    throw new AppError(
      'UPLOAD_ALREADY_COMPLETE',
      `The upload of this Idempotency-Key is complete: see GET /api/v1/uploads/${row.id}. Another one needs a fresh key.`,
    );
  }
  const first = Math.min(row.part_count, PART_URLS_PER_REQUEST);
  const inline =
    row.checksum_algorithm === null ? Array.from({ length: first }, (_, index) => index + 1) : [];
  const signed = await signParts(
    store,
    row,
    inline.map((partNumber) => ({ partNumber })),
  );
  return {
    uploadId: row.id,
    key: row.storage_key,
    partSize: row.part_size,
    partCount: row.part_count,
    parts: signed.map(({ partNumber, url }) => ({ partNumber, url })),
    headers: signed[0]?.headers ?? {},
    expiresIn: URL_SECONDS,
    provider: row.provider,
    checksumAlgorithm: row.checksum_algorithm,
    expiresAt: row.expires_at.toISOString(),
  };
}
