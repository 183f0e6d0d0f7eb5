/**
 * Stores bytes that are made while they are sent, so that of a file of any size only a few parts are in memory. Size and digest are
 * those of the bytes that were made, and the store proves them: it checks each part by its digest, or the stored object is read
 * once more where it does not. A file that is not stored whole leaves nothing but parts, which are given up here and by the
 * sweep of uploads.
 */
import { createHash } from 'node:crypto';

import type { NamedPart, ObjectStore } from '../adapters/storage/storage.ts';

const PART_BYTES = 8 * 1024 * 1024;

/** A stored file. */
export interface StoredStream {
  readonly byteSize: number;
  /** In hex. */
  readonly sha256: string;
}

/** Destination of the bytes. */
export interface StreamTarget {
  readonly key: string;
  readonly contentType: string;
  /** The size of a part; a store has a least one. */
  readonly partBytes?: number;
}

type Store = Pick<
  ObjectStore,
  | ('put' | 'hash' | 'createMultipart' | 'putPart' | 'completeMultipart' | 'abortMultipart')
  | ('partLimits' | 'enforcesPartChecksums')
>;

/** Stores the pieces one after the other. @throws what making or storing them throws; then nothing is stored under the key. */
export async function streamToStore(
  store: Store,
  { key, contentType, partBytes = PART_BYTES }: StreamTarget,
  pieces: AsyncIterable<Uint8Array>,
): Promise<StoredStream> {
  const hash = createHash('sha256');
  const parts: NamedPart[] = [];
  const size = Math.max(partBytes, store.partLimits.minBytes);
  let byteSize = 0;
  let uploadId: string | null = null;
  try {
    for await (const { bytes, isLast } of inParts(pieces, size)) {
      hash.update(bytes);
      byteSize += bytes.byteLength;
      if (uploadId === null && isLast) {
        const sha256 = hash.digest('hex');
        await store.put(key, { byteSize, sha256, open: () => once(bytes) }, contentType);
        return await proven(store, key, { byteSize, sha256 });
      }
      uploadId ??= await store.createMultipart(key, { contentType, checksum: 'sha256' });
      parts.push(await store.putPart(key, uploadId, parts.length + 1, bytes));
    }
    if (uploadId !== null) await store.completeMultipart(key, uploadId, parts);
  } catch (error) {
    // The sweep of uploads finds a part that this misses: no upload has this key.
    if (uploadId !== null) await store.abortMultipart(key, uploadId).catch(() => undefined);
    throw error;
  }
  return proven(store, key, { byteSize, sha256: hash.digest('hex') });
}

/** Reads the object once more where the store has not compared its bytes. */
async function proven(store: Store, key: string, sent: StoredStream): Promise<StoredStream> {
  if (store.enforcesPartChecksums) return sent;
  const stored = await store.hash(key);
  if (stored?.sha256 !== sent.sha256)
    throw new Error(`The store has other bytes under ${key} than were sent.`);
  return sent;
}

/**
 * Parts of one size, of which the last one may be smaller or, of an empty file, empty. All parts are made in the same memory, which
 * would otherwise grow by a part each time until it is collected: a part is there until the next one is asked for.
 */
async function* inParts(
  pieces: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
  const part = Buffer.allocUnsafe(size);
  let used = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.byteLength;) {
      if (used === size) {
        yield { bytes: part, isLast: false };
        used = 0;
      }
      const taken = Math.min(size - used, piece.byteLength - at);
      part.set(piece.subarray(at, at + taken), used);
      used += taken;
      at += taken;
    }
  }
  yield { bytes: part.subarray(0, used), isLast: true };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
