/** One file: stored already, small enough for one PUT, or in parts. */
import { basename } from 'node:path';

import { CLIENT_CODES, localError } from '../errors.ts';
import type { UploadApi } from './api.ts';
import { openSource } from './identity.ts';
import { journalName, openJournal, uploadStateFolder } from './journal.ts';
import { uploadMultipart } from './multipart.ts';
import type { MultipartResult } from './multipart.ts';
import { USUAL_CONTENT_TYPE, USUAL_PART_BYTES } from './options.ts';
import type { FileUpload, Transfer, UploadedFile, UploadOptions, UploadWish } from './options.ts';
import { createPlaces } from './part-reader.ts';
import type { BufferPool } from './part-reader.ts';
import { createPutter } from './put.ts';
import type { Putter } from './put.ts';
import { dropUpload } from './resume.ts';
import { uploadSingle } from './single.ts';
import { createListing, createMemory, findBySize } from './stored.ts';
import type { Listing } from './stored.ts';

/** Uploads files over connections of its own; `close` ends them. */
export interface Uploader {
  upload(file: FileUpload): Promise<UploadedFile>;
  close(): void;
}

/** The connections, listings and buffers that uploaders of many files share. */
export interface SharedTools {
  readonly putter: Putter;
  readonly listing: Listing;
  /** For files that go up by one PUT. */
  readonly places: BufferPool;
}

/** Makes the connections, listings and buffers for so many files at once. */
export function createShared(api: UploadApi, filesAtOnce: number): SharedTools {
  return { putter: createPutter(), listing: createListing(api), places: createPlaces(filesAtOnce) };
}

/** Makes an uploader for one file or many. */
export function createUploader(
  api: UploadApi,
  options: UploadOptions,
  shared: SharedTools = createShared(api, 1),
): Uploader {
  const signal = options.signal ?? new AbortController().signal;
  const { putter } = shared;
  return {
    async upload(file) {
      const source = await openSource(file.path);
      try {
        const wish = wishOf(file, options);
        return await uploadSource({ api, putter, source, wish, options, signal }, shared, folderOf(options));
      } finally {
        await source.handle.close();
      }
    },
    close: () => shared.putter.close(),
  };
}

/**
 * Aborts the unfinished upload of a file, and forgets it.
 * @throws ClientError NO_OPEN_UPLOAD, UPLOAD_IN_PROGRESS.
 */
export async function abortUpload(
  api: UploadApi,
  file: FileUpload,
  options: Pick<UploadOptions, 'signal' | 'stateFolder'>,
): Promise<void> {
  const source = await openSource(file.path);
  try {
    const wish = wishOf(file, {});
    const name = journalName({ ...wish, apiUrl: api.apiUrl }, source.identity);
    const journal = await openJournal(folderOf(options) ?? uploadStateFolder(), name);
    try {
      const wasOpen = journal.found !== null && (await dropUpload(api, journal.found, options.signal));
      await journal.remove();
      if (!wasOpen)
        throw localError(CLIENT_CODES.noOpenUpload, `There is no unfinished upload of ${file.path}.`);
    } finally {
      await journal.close();
    }
  } finally {
    await source.handle.close();
  }
}

async function uploadSource(
  transfer: Transfer,
  { listing, places }: SharedTools,
  folder: string | null,
): Promise<UploadedFile> {
  const { options, source, wish } = transfer;
  const memory = createMemory(transfer, listing, folder);
  const stored = options.skipStored === true ? await memory.find() : null;
  if (stored !== null) return stored;
  const isSmall = source.identity.sizeBytes <= Math.min(wish.partSize ?? USUAL_PART_BYTES, USUAL_PART_BYTES);
  const { uploadId, ...uploaded } = isSmall
    ? { ...(await uploadSingle(transfer, places)), uploadId: null }
    : await uploadInParts(transfer, listing, folder);
  if (options.skipStored === true && (uploadId !== null || !uploaded.skipped))
    await memory.remember(uploaded, uploadId);
  return uploaded;
}

async function uploadInParts(
  transfer: Transfer,
  listing: Listing,
  folder: string | null,
): Promise<MultipartResult> {
  const { api, options, source, wish } = transfer;
  const name = journalName({ ...wish, apiUrl: api.apiUrl }, source.identity);
  const journal = folder === null ? null : await openJournal(folder, name);
  try {
    // An upload that an earlier process has begun is finished, without looking for a stored file.
    const isLookedFor = options.skipStored === true && (journal?.found ?? null) === null;
    const stored = isLookedFor ? await findBySize(transfer, listing) : null;
    return stored ?? (await uploadMultipart(transfer, journal));
  } finally {
    await journal?.close();
  }
}

function wishOf(file: FileUpload, options: UploadOptions): UploadWish {
  const checksum = options.checksum ?? false;
  return {
    filename: file.filename ?? basename(file.path),
    contentType: file.contentType ?? USUAL_CONTENT_TYPE,
    projectId: file.projectId ?? null,
    logicalPath: file.logicalPath ?? null,
    checksum,
    verifyWhole: options.verifyWhole ?? !checksum,
    partSize: options.partSize ?? USUAL_PART_BYTES,
    idempotencyKey: options.idempotencyKey ?? null,
  };
}

function folderOf({ stateFolder }: Pick<UploadOptions, 'stateFolder'>): string | null {
  return stateFolder === undefined ? uploadStateFolder() : stateFolder;
}
