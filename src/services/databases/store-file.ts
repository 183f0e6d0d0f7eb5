/** Stores a file of this machine under a key of the service: in one call, or in parts when the file is large. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

import type { NamedPart, ObjectStore } from '../../adapters/storage/storage.ts';
import { AppError } from '../../domain/errors.ts';
import type { SourceFile } from './read-files.ts';

const PART_BYTES = 64 * 1024 * 1024;
const URL_SECONDS = 3600;
const MEDIA_TYPE = 'application/octet-stream';

/**
 * Stores a file; `progress` gets the bytes that were stored of it.
 * @throws VALIDATION_ERROR when the file has changed since it was read.
 */
export async function storeFile(
  store: ObjectStore,
  key: string,
  file: SourceFile,
  progress: (bytes: number) => void,
): Promise<void> {
  const hash = createHash('sha256');
  const partBytes = Math.max(PART_BYTES, Math.ceil(file.byteSize / store.partLimits.maxParts));
  const isSmall = file.byteSize <= partBytes;
  const uploadId = isSmall
    ? null
    : await store.createMultipart(key, { contentType: MEDIA_TYPE, checksum: null });
  const parts: NamedPart[] = [];
  const handle = await open(file.path);
  try {
    for (let at = 0; at < file.byteSize; at += partBytes) {
      const bytes = Buffer.alloc(Math.min(partBytes, file.byteSize - at));
      const { bytesRead } = await handle.read(bytes, 0, bytes.byteLength, at);
      if (bytesRead < bytes.byteLength) throw changed(file);
      hash.update(bytes);
      if (uploadId === null) await store.put(key, bytes, MEDIA_TYPE);
      else parts.push(await storePart(store, { key, uploadId, partNumber: parts.length + 1, bytes }));
      progress(at + bytes.byteLength);
    }
    if (hash.digest('hex') !== file.sha256) throw changed(file);
    if (uploadId !== null) await store.completeMultipart(key, uploadId, parts);
  } catch (error) {
    if (uploadId !== null) await store.abortMultipart(key, uploadId);
    throw error;
  } finally {
    await handle.close();
  }
}

async function storePart(
  store: ObjectStore,
  part: {
    readonly key: string;
    readonly uploadId: string;
    readonly partNumber: number;
    readonly bytes: Uint8Array<ArrayBuffer>;
  },
): Promise<NamedPart> {
  const { key, uploadId, partNumber, bytes } = part;
  const signed = await store.signPart(key, uploadId, partNumber, {
    expiresInSeconds: URL_SECONDS,
    byteSize: bytes.byteLength,
  });
  const answer = await fetch(signed.url, { method: 'PUT', headers: signed.headers, body: bytes });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`The store did not take part ${partNumber} of ${key}: ${answer.status}.`);
  return { partNumber, etag: answer.headers.get('etag'), checksumSha256: null };
}

function changed({ path }: SourceFile): AppError {
  return new AppError('VALIDATION_ERROR', `${path} has changed while it was read. Repeat the command.`);
}
