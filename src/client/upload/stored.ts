/**
 * Files that need not be sent again. This machine remembers what it has uploaded, the service knows what it has
 * verified. A file is left out when the service says now that the same bytes are stored under the same name; and what
 * went up by one PUT with the same key, of which the service knows nothing before a job names it, for as long as it is
 * kept for sure.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ClientError } from '../errors.ts';
import type { UploadApi } from './api.ts';
import type { FileIdentity } from './identity.ts';
import { isSameFile, journalName } from './journal.ts';
import type { UploadedFile, UploadIntegrity } from './options.ts';
import type { UploadWish } from './resume.ts';

/** What is remembered of a finished upload. */
export interface UploadRecord {
  readonly version: 1;
  readonly identity: FileIdentity;
  readonly filename: string;
  /** Null of a file that went up by one PUT. */
  readonly uploadId: string | null;
  /** Which key sent it: another one may be another account's. */
  readonly keyMark?: string;
  readonly storageKey: string;
  readonly sha256: string;
  readonly integrity: UploadIntegrity;
  readonly storedAt: string;
}

/** A file that nothing names is removed after a day. */
const UNNAMED_KEPT_MS = 20 * 3600 * 1000;

/** Remembers finished uploads; without a folder, nothing. */
export interface Memory {
  /** The file as it is stored, when neither it nor the stored one has changed since. */
  find(identity: FileIdentity, wish: UploadWish, signal: AbortSignal): Promise<UploadedFile | null>;
  remember(
    identity: FileIdentity,
    wish: UploadWish,
    file: UploadedFile & { readonly uploadId: string | null },
  ): Promise<void>;
}

/** Makes a memory. */
export function createMemory(api: UploadApi, folder: string | null): Memory {
  const placeOf = (identity: FileIdentity, wish: UploadWish): string | null =>
    folder === null
      ? null
      : join(folder, `${journalName({ ...wish, apiUrl: api.apiUrl }, identity)}.done.json`);
  return {
    async find(identity, wish, signal) {
      const place = placeOf(identity, wish);
      const record = place === null ? null : await readRecord(place);
      if (place === null || record === null) return null;
      const isSame = isSameFile(record.identity, identity) && record.filename === wish.filename;
      if (isSame && (await isStored(api, record, signal)))
        return skippedFile(record.storageKey, identity.sizeBytes, record.sha256, record.integrity);
      await rm(place, { force: true });
      return null;
    },
    async remember(identity, wish, { uploadId, storageKey, sha256, integrity }) {
      const place = placeOf(identity, wish);
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

/** A verified file of the account with these bytes and the same name or place. */
export async function findByDigest(
  api: UploadApi,
  wish: UploadWish,
  sha256: string,
  sizeBytes: number,
  signal: AbortSignal,
): Promise<UploadedFile | null> {
  const { projectId } = wish;
  const query = { state: 'completed', sha256, ...(projectId === null ? {} : { projectId }) };
  for await (const item of api.list(query, { signal })) {
    const isSamePlace =
      wish.logicalPath === null ? item.filename === wish.filename : item.logicalPath === wish.logicalPath;
    if (isSamePlace && item.projectId === projectId && item.size === sizeBytes)
      return skippedFile(item.key, sizeBytes, sha256, 'object-sha256');
  }
  return null;
}

/** A file that was not sent. */
export function skippedFile(
  storageKey: string,
  byteSize: number,
  sha256: string,
  integrity: UploadIntegrity,
): UploadedFile {
  return { storageKey, byteSize, sha256, integrity, skipped: true, resumedBytes: 0 };
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
