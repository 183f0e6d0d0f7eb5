/**
 * Beginning of an upload: at the one that a killed process has left, when file and order are the same and the service still knows
 * it, else at a new one. An upload that no longer fits is aborted, so that nothing is left behind.
 */
import { randomUUID } from 'node:crypto';

import { ClientError } from '../errors.ts';
import type { MultipartInitRequest, MultipartInitResponse, MultipartStatusResponse } from '../types.ts';
import type { UploadApi } from './api.ts';
import { isSameFile } from './journal.ts';
import type { Journal, JournalContent, JournalOrder, JournalPart } from './journal.ts';
import type { MintedStart } from './minter.ts';
import type { Transfer } from './options.ts';

/** A part that the service has. */
export interface ReceivedPart {
  readonly etag: string | null;
  /** Digest (hex) of what was sent, as this machine or the store knows it. */
  readonly sha256: string;
  /**
   * Whether the store checked that digest, or has said that it has what was sent. A part that was cut off on its way
   * may be there with its full size and other bytes.
   */
  readonly isProven: boolean;
}

/** An upload under way. */
export interface OpenUpload {
  readonly uploadId: string;
  readonly partSize: number;
  readonly partCount: number;
  /** The store checks the digest of each part. */
  readonly isChecked: boolean;
  /** The service has put the upload together and this machine did not hear of it: no part can be sent any more. */
  readonly isEnded: boolean;
  readonly minted: MintedStart | null;
  readonly received: ReadonlyMap<number, ReceivedPart>;
}

/** States in which an upload can go on, or has ended well and answers the same again. */
const USABLE = new Set<MultipartStatusResponse['state']>(['OPENING', 'OPEN', 'VERIFYING', 'COMPLETED']);
const ENDED = new Set<MultipartStatusResponse['state']>(['VERIFYING', 'COMPLETED']);
const GONE_STATUS = new Set([404, 410]);
/** With these statuses the caller is not let in, so they do not tell whether an upload is there. */
const NOT_LET_IN_STATUS = new Set([401, 403]);

/** Takes up the unfinished upload of a journal or starts one. */
export async function resumeOrStart(
  transfer: Transfer,
  journal: Journal | null,
  found: JournalContent | null,
): Promise<OpenUpload> {
  const startNew = (): Promise<OpenUpload> => startAnew(transfer, journal, transfer.wish.idempotencyKey);
  if (found === null) return startNew();
  if (!isSame(found.order, transfer)) {
    await dropUpload(transfer.api, found, transfer.signal);
    return startNew();
  }
  // The process was killed before the answer of the start came: the same key gets the same upload.
  if (found.upload === null)
    return start(transfer, journal, found.order).catch((error: unknown) => {
      if (!isOver(error)) throw error;
      return startNew();
    });
  const status = await statusOf(transfer, found.upload.uploadId);
  if (status === null || !USABLE.has(status.state)) return startNew();
  return {
    uploadId: status.uploadId,
    partSize: status.partSize,
    partCount: status.partCount,
    isChecked: status.checksumAlgorithm === 'sha256',
    isEnded: ENDED.has(status.state),
    minted: null,
    received: receivedOf(status, found.parts),
  };
}

/** Starts an upload under a key; without one under a fresh key, as in place of an upload that cannot go on. */
export function startAnew(
  transfer: Transfer,
  journal: Journal | null,
  idempotencyKey: string | null,
): Promise<OpenUpload> {
  const { filename, contentType, checksum, partSize, projectId, logicalPath } = transfer.wish;
  return start(transfer, journal, {
    apiUrl: transfer.api.apiUrl,
    path: transfer.source.path,
    identity: transfer.source.identity,
    filename,
    contentType,
    checksum,
    partSize,
    projectId,
    logicalPath,
    idempotencyKey: idempotencyKey ?? randomUUID(),
  });
}

/** Whether the service does not have an upload any more, or has ended it other than completed. */
export async function isGone(transfer: Transfer, uploadId: string): Promise<boolean> {
  const status = await statusOf(transfer, uploadId);
  return status === null || !USABLE.has(status.state);
}

/**
 * Aborts the upload of a journal, if it was started and is still there. Of one whose start was not answered the key
 * tells the id: the start is repeated for it.
 * @returns whether there was one.
 */
export async function dropUpload(
  api: UploadApi,
  { order, upload }: JournalContent,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const { uploadId } = upload ?? (await init(api, order, signal));
    await api.abort(uploadId, { signal });
    return true;
  } catch (error) {
    if (isOver(error)) return false;
    const isRefusedStart = upload === null && error instanceof ClientError && !error.passing;
    if (isRefusedStart && !NOT_LET_IN_STATUS.has(error.status)) return false;
    throw error;
  }
}

async function start(
  { api, signal }: Transfer,
  journal: Journal | null,
  order: JournalOrder,
): Promise<OpenUpload> {
  await journal?.begin(order);
  const answer = await init(api, order, signal).catch(async (error: unknown) => {
    // The service remembers a refusal under its key, so the next attempt takes a key of its own.
    if (error instanceof ClientError && !error.passing) await journal?.remove();
    throw error;
  });
  const { uploadId, key, partSize, partCount } = answer;
  await journal?.started({ uploadId, storageKey: key, partSize, partCount });
  const isChecked = answer.checksumAlgorithm === 'sha256';
  return { uploadId, partSize, partCount, isChecked, isEnded: false, minted: answer, received: new Map() };
}

/** Starts the upload of an order; however often, the request is the same. */
function init(
  api: UploadApi,
  order: JournalOrder,
  signal: AbortSignal | undefined,
): Promise<MultipartInitResponse> {
  const request: MultipartInitRequest = {
    filename: order.filename,
    contentType: order.contentType,
    size: order.identity.sizeBytes,
    ...(order.partSize === null ? {} : { partSize: order.partSize }),
    ...(order.checksum ? { checksumAlgorithm: 'sha256' } : {}),
    ...(order.projectId === null ? {} : { projectId: order.projectId }),
    ...(order.logicalPath === null ? {} : { logicalPath: order.logicalPath }),
  };
  return api.init(request, { signal, idempotencyKey: order.idempotencyKey });
}

function isOver(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  return GONE_STATUS.has(error.status) || error.code === 'UPLOAD_ALREADY_COMPLETE';
}

/** A wish for another part size does not count, because parts that were sent need not be sent again. */
function isSame(order: JournalOrder, { source, wish }: Transfer): boolean {
  return (
    isSameFile(order.identity, source.identity) &&
    order.checksum === wish.checksum &&
    order.filename === wish.filename &&
    order.contentType === wish.contentType
  );
}

async function statusOf(
  { api, signal }: Transfer,
  uploadId: string,
): Promise<MultipartStatusResponse | null> {
  try {
    return await api.status(uploadId, { signal });
  } catch (error) {
    if (error instanceof ClientError && GONE_STATUS.has(error.status)) return null;
    throw error;
  }
}

/** The parts that the service has and whose bytes are known here or to the store. */
function receivedOf(
  status: MultipartStatusResponse,
  known: ReadonlyMap<number, JournalPart>,
): ReadonlyMap<number, ReceivedPart> {
  const received = new Map<number, ReceivedPart>();
  for (const { partNumber, etag: named, checksumSha256 } of status.received) {
    const etag = named === '' ? null : named;
    const part = known.get(partNumber);
    if (checksumSha256 !== undefined) {
      const sha256 = Buffer.from(checksumSha256, 'base64').toString('hex');
      received.set(partNumber, { etag, sha256, isProven: true });
    } else if (part !== undefined) {
      const isProven = part.isStored && part.etag === etag;
      received.set(partNumber, { etag, sha256: part.sha256, isProven });
    }
  }
  return received;
}
