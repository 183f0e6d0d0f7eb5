/**
 * Files that need not be sent again. This machine remembers the files it has uploaded, and the service knows the files it
 * has verified. A file is left out when the service says now that the same bytes are stored under the same name, in a
 * package as the newest file of its place. The service knows nothing of a file that went up by one PUT before a job names
 * the file; such a file is left out for as long as the store keeps it for sure, and only with the key that sent it.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ClientError } from '../errors.ts';
import type { UploadItem } from '../types.ts';
import type { UploadApi } from './api.ts';
import { assertUnchanged, readExactly } from './identity.ts';
import type { FileIdentity, SourceFile } from './identity.ts';
import { isSameFile, journalName } from './journal.ts';
import type { Transfer, UploadedFile, UploadIntegrity, UploadWish } from './options.ts';

/** Record of a finished upload. */
export interface UploadRecord {
  readonly version: 1;
  readonly identity: FileIdentity;
  readonly filename: string;
  /** Null for a file that went up by one PUT. */
  readonly uploadId: string | null;
  /** The mark of the key that sent the file; another key may belong to another account. */
  readonly keyMark?: string;
  readonly storageKey: string;
  readonly sha256: string;
  readonly integrity: UploadIntegrity;
  readonly storedAt: string;
}

/** The service removes a file that no job names after a day; some hours of that are left to the job. */
const UNNAMED_KEPT_MS = 20 * 3600 * 1000;
/** A file outside a package is looked for among so many of the newest uploads. */
const MOST_LOOKED_AT = 1_000;
/** Of a package so many files are listed: a hundred pages. */
const MOST_LISTED = 10_000;
const SLICE_BYTES = 1024 * 1024;

/** Remembers the finished uploads of one file; without a folder, nothing. */
export interface Memory {
  /** The file as it is stored, when neither it nor the stored one has changed since. */
  find(): Promise<UploadedFile | null>;
  remember(file: UploadedFile, uploadId: string | null): Promise<void>;
}

/** Makes the memory of one file. */
export function createMemory(transfer: Transfer, listing: Listing, folder: string | null): Memory {
  const { api, source, wish } = transfer;
  const { identity } = source;
  const name = `${journalName({ ...wish, apiUrl: api.apiUrl }, identity)}.done.json`;
  const place = folder === null ? null : join(folder, name);
  return {
    async find() {
      const record = place === null ? null : await readRecord(place);
      if (place === null || record === null) return null;
      const isSame = isSameFile(record.identity, identity) && record.filename === wish.filename;
      const stored = isSame ? await storedNow(transfer, listing, record) : null;
      if (stored === null) await rm(place, { force: true });
      return stored;
    },
    async remember({ storageKey, sha256, integrity }, uploadId) {
      if (place === null) return;
      const { filename } = wish;
      const storedAt = new Date().toISOString();
      const what = { filename, uploadId, keyMark: api.keyMark, storageKey, sha256, integrity, storedAt };
      const record: UploadRecord = { version: 1, identity, ...what };
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await writeFile(place, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    },
  };
}

/** A stored file and the id under which the service knows it. */
export interface NamedFile extends UploadedFile {
  readonly uploadId: string;
}

/** A verified file of the account with these bytes and the same name or place. */
export async function findByDigest(
  { api, signal, source, wish }: Transfer,
  sha256: string,
): Promise<NamedFile | null> {
  const { sizeBytes } = source.identity;
  const { projectId } = wish;
  const query = { state: 'completed', sha256, ...(projectId === null ? {} : { projectId }) };
  for await (const item of api.list(query, { signal })) {
    if (isSamePlace(item, wish) && item.size === sizeBytes)
      return { ...skippedFile(item.key, sizeBytes, sha256, 'object-sha256'), uploadId: item.uploadId };
  }
  return null;
}

/**
 * A verified file with the bytes of a large one and the same name or place. The file is read for that only when one of
 * the same size is there whose digest the service knows.
 */
export async function findBySize(transfer: Transfer, listing: Listing): Promise<NamedFile | null> {
  const { api, signal, source, wish } = transfer;
  const { sizeBytes } = source.identity;
  const isLikely = (item: UploadItem): boolean =>
    isSamePlace(item, wish) && item.size === sizeBytes && item.sha256 !== null;
  const { projectId, logicalPath } = wish;
  const newest = logicalPath === null ? null : await listing.newestAt(projectId, logicalPath, signal);
  const likely = logicalPath === null ? await firstOf(api, isLikely, signal) : newest;
  if (likely === null || !isLikely(likely)) return null;
  const sha256 = await digestOf(source, signal);
  return findByDigest(transfer, sha256);
}

async function firstOf(
  api: UploadApi,
  isWanted: (item: UploadItem) => boolean,
  signal: AbortSignal,
): Promise<UploadItem | null> {
  let looked = 0;
  for await (const item of api.list({ state: 'completed' }, { signal })) {
    if (isWanted(item)) return item;
    looked += 1;
    if (looked === MOST_LOOKED_AT) return null;
  }
  return null;
}

async function digestOf(source: SourceFile, signal: AbortSignal): Promise<string> {
  const { sizeBytes } = source.identity;
  const hash = createHash('sha256');
  const slice = Buffer.allocUnsafeSlow(Math.min(SLICE_BYTES, sizeBytes));
  for (let at = 0; at < sizeBytes; at += slice.byteLength) {
    signal.throwIfAborted();
    const bytes = slice.subarray(0, Math.min(slice.byteLength, sizeBytes - at));
    await readExactly(source, bytes, at);
    hash.update(bytes);
  }
  await assertUnchanged(source);
  return hash.digest('hex');
}

/** The service keeps places in one form of accents, and ids in small letters. */
function isSamePlace(item: UploadItem, { projectId, logicalPath, filename }: UploadWish): boolean {
  if (item.projectId !== (projectId?.toLowerCase() ?? null)) return false;
  return logicalPath === null
    ? item.filename === filename
    : item.logicalPath === logicalPath.normalize('NFC');
}

/** A file that was not sent. */
function skippedFile(
  storageKey: string,
  byteSize: number,
  sha256: string,
  integrity: UploadIntegrity,
): UploadedFile {
  return { storageKey, byteSize, sha256, integrity, skipped: true, resumedBytes: 0 };
}

/** A remembered file, when it is stored still and nothing newer has taken its place. */
async function storedNow(
  { api, signal, wish }: Transfer,
  listing: Listing,
  record: UploadRecord,
): Promise<UploadedFile | null> {
  const { sha256, identity, storageKey } = record;
  const { projectId, logicalPath } = wish;
  const newest = logicalPath === null ? null : await listing.newestAt(projectId, logicalPath, signal);
  const isNewest = newest?.key === storageKey;
  if (newest !== null && !isNewest)
    return newest.sha256 === sha256
      ? skippedFile(newest.key, identity.sizeBytes, sha256, 'object-sha256')
      : null;
  // A package lists everything that went up in parts.
  const isMissing = logicalPath !== null && record.uploadId !== null && newest === null;
  if (isMissing || !(isNewest || (await isStored(api, record, signal)))) return null;
  return skippedFile(storageKey, identity.sizeBytes, sha256, record.integrity);
}

async function isStored(
  api: UploadApi,
  { uploadId, keyMark, storedAt }: UploadRecord,
  signal: AbortSignal,
): Promise<boolean> {
  // The service can be asked only of what went up in parts.
  if (uploadId === null)
    return keyMark === api.keyMark && Date.now() - Date.parse(storedAt) < UNNAMED_KEPT_MS;
  try {
    return (await api.status(uploadId, { signal })).state === 'COMPLETED';
  } catch (error) {
    if (error instanceof ClientError && (error.status === 404 || error.status === 410)) return false;
    throw error;
  }
}

async function readRecord(place: string): Promise<UploadRecord | null> {
  try {
    const value: unknown = JSON.parse(await readFile(place, 'utf8'));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is UploadRecord {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === 1;
}

/** Knows what is stored at the places of packages. */
export interface Listing {
  /** The newest file at a place; null when there is none, or too many newer files are in the package. */
  newestAt(projectId: string | null, logicalPath: string, signal: AbortSignal): Promise<UploadItem | null>;
}

/** Makes a listing: a package is listed once, as far as it is asked for, however many files ask. */
export function createListing(api: Pick<UploadApi, 'list'>): Listing {
  const packages = new Map<string, PackageListing>();
  return {
    async newestAt(projectId, logicalPath, signal) {
      // The service refuses a place without a package, so nothing is stored there.
      if (projectId === null) return null;
      const found = packages.get(projectId) ?? new PackageListing(api, projectId, signal);
      packages.set(projectId, found);
      return found.newestAt(logicalPath.normalize('NFC'));
    },
  };
}

class PackageListing {
  readonly #items: AsyncGenerator<UploadItem, void, void>;
  readonly #places = new Map<string, UploadItem>();
  #listed = 0;
  #isOver = false;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(api: Pick<UploadApi, 'list'>, projectId: string, signal: AbortSignal) {
    this.#items = api.list({ state: 'completed', projectId }, { signal });
  }

  newestAt(place: string): Promise<UploadItem | null> {
    // Questions are answered one after the other, because the pages read for the first may hold the answer to the next.
    const found = this.#tail.then(() => this.#find(place));
    this.#tail = found.catch(() => undefined);
    return found;
  }

  async #find(place: string): Promise<UploadItem | null> {
    while (!this.#isOver && !this.#places.has(place)) {
      const { value } = await this.#items.next();
      this.#listed += 1;
      this.#isOver = value === undefined || this.#listed === MOST_LISTED;
      if (value?.logicalPath == null || this.#places.has(value.logicalPath)) continue;
      this.#places.set(value.logicalPath, value);
    }
    return this.#places.get(place) ?? null;
  }
}
