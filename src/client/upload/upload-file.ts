/** One file: stored already, small enough for one PUT, or in parts. */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';

import { CLIENT_CODES, localError } from '../errors.ts';
import type { UploadApi } from './api.ts';
import type { BufferPool } from './gates.ts';
import { openSource } from './identity.ts';
import type { SourceFile } from './identity.ts';
import { journalName, openJournal, uploadStateFolder } from './journal.ts';
import type { Journal } from './journal.ts';
import { createListing } from './listing.ts';
import type { Listing } from './listing.ts';
import { uploadMultipart } from './multipart.ts';
import { USUAL_CONCURRENCY, USUAL_CONTENT_TYPE, USUAL_PART_BYTES } from './options.ts';
import type { FileUpload, UploadedFile, UploadOptions } from './options.ts';
import { createPlaces } from './part-reader.ts';
import { createPutter } from './put.ts';
import type { Putter } from './put.ts';
import { dropUpload } from './resume.ts';
import type { UploadWish } from './resume.ts';
import { uploadSingle } from './single.ts';
import { createMemory, findByDigest, findBySize } from './stored.ts';

/** Uploads files over connections of its own; `close` ends them. */
export interface Uploader {
  upload(file: FileUpload): Promise<UploadedFile>;
  close(): void;
}

/** What uploaders of many files share. */
export interface SharedTools {
  readonly putter: Putter;
  readonly listing: Listing;
  /** For files that go up by one PUT. */
  readonly places: BufferPool;
}

/** Makes what uploaders of so many files at once share. */
export function createShared(api: UploadApi, filesAtOnce: number): SharedTools {
  return { putter: createPutter(), listing: createListing(api), places: createPlaces(filesAtOnce) };
}

/** Makes an uploader for one file or many. */
export function createUploader(
  api: UploadApi,
  options: UploadOptions,
  shared: SharedTools = createShared(api, 1),
): Uploader {
  return {
    async upload(file) {
      const source = await openSource(file.path);
      try {
        return await uploadOpened({ api, ...shared, options, file, source });
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

interface OpenedUpload extends SharedTools {
  readonly api: UploadApi;
  readonly options: UploadOptions;
  readonly file: FileUpload;
  readonly source: SourceFile;
}

async function uploadOpened(opened: OpenedUpload): Promise<UploadedFile> {
  const { api, listing, options, source } = opened;
  const signal = options.signal ?? new AbortController().signal;
  const wish = wishOf(opened.file, options);
  const { identity } = source;
  const folder = folderOf(options);
  const memory = createMemory(api, listing, folder);
  const stored = options.skipStored === true ? await memory.find(identity, wish, signal) : null;
  if (stored !== null) return stored;
  const isSmall = identity.sizeBytes <= Math.min(wish.partSize ?? USUAL_PART_BYTES, USUAL_PART_BYTES);
  const send = isSmall ? sendSingle : sendInParts;
  const { uploadId, ...uploaded } = await send(opened, { wish, folder, signal });
  if (options.skipStored === true && (uploadId !== null || !uploaded.skipped))
    await memory.remember(identity, wish, { ...uploaded, uploadId });
  return uploaded;
}

interface Sending {
  readonly wish: UploadWish;
  readonly folder: string | null;
  readonly signal: AbortSignal;
}

type Sent = UploadedFile & { readonly uploadId: string | null };

async function sendSingle(
  { api, putter, places, options, source }: OpenedUpload,
  { wish, signal }: Sending,
): Promise<Sent> {
  const storedAs = (sha256: string): Promise<UploadedFile | null> =>
    findByDigest(api, wish, sha256, source.identity.sizeBytes, signal);
  const skipStored = options.skipStored === true;
  const tools = { api, putter, places, signal, onProgress: options.onProgress, skipStored, storedAs };
  const uploaded = await uploadSingle(tools, source, wish, wish.idempotencyKey ?? randomUUID());
  return { ...uploaded, uploadId: null };
}

async function sendInParts(
  { api, putter, listing, options, source }: OpenedUpload,
  { wish, folder, signal }: Sending,
): Promise<Sent> {
  const name = journalName({ ...wish, apiUrl: api.apiUrl }, source.identity);
  const concurrency = options.concurrency ?? USUAL_CONCURRENCY;
  const tools = { api, putter, signal, concurrency, onProgress: options.onProgress };
  return withJournal(folder, name, async (journal) => {
    // An upload under way is brought to its end.
    const isLookedFor = options.skipStored === true && (journal?.found ?? null) === null;
    const stored = isLookedFor ? await findBySize(api, listing, source, wish, signal) : null;
    if (stored !== null) return stored;
    return uploadMultipart({ ...tools, journal }, source, wish);
  });
}

async function withJournal<T>(
  folder: string | null,
  name: string,
  work: (journal: Journal | null) => Promise<T>,
): Promise<T> {
  if (folder === null) return work(null);
  const journal = await openJournal(folder, name);
  try {
    return await work(journal);
  } finally {
    await journal.close();
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
