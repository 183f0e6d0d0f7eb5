/**
 * Digests of stored bytes. A digest is answered with the store's ETag of the very bytes that were read. A later HEAD
 * that answers the same ETag proves that the bytes are the same; with another ETag the bytes are read again.
 */
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';

import type { ObjectHead, ObjectStore } from '../../adapters/storage/storage.ts';
import { hashObject } from './digest.ts';

/** A digest, and the ETag of the bytes that have it. */
export interface StoredDigest {
  readonly byteSize: number;
  readonly sha256: string;
  readonly etag: string | null;
}

/** Digests as one process computes them: one reading of an object at a time, and not many at once. */
export interface DigestReader {
  /** Reads an object as it was seen; a second caller waits for the reading under way. Null: the object is gone. */
  read(seen: Pick<ObjectHead, 'key' | 'byteSize' | 'etag'>): Promise<StoredDigest | null>;
}

/** How many objects one process reads at once. Small ones do not wait for large ones. */
const SMALL_AT_ONCE = 8;
const LARGE_AT_ONCE = 2;
const LARGE_BYTES = 64 * 1024 ** 2;
const READINGS = 3;
/** Digests that one process remembers. */
const KNOWN = 10_000;

/** The object was written again while it was read. */
class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';
}

/** Makes the reader of one process. */
export function createDigestReader(store: Pick<ObjectStore, 'read'>): DigestReader {
  const running = new Map<string, Promise<StoredDigest | null>>();
  const known = new LRUCache<string, StoredDigest>({ max: KNOWN });
  const [small, large] = [pLimit(SMALL_AT_ONCE), pLimit(LARGE_AT_ONCE)];
  return {
    read({ key, byteSize, etag }) {
      // A caller that has seen other bytes under the key must not get the digest of these bytes.
      const name = JSON.stringify([key, etag]);
      const before = known.get(name);
      if (before !== undefined) return Promise.resolve(before);
      const joined = running.get(name);
      if (joined !== undefined) return joined;
      const lane = byteSize > LARGE_BYTES ? large : small;
      const reading = lane(async () => {
        const found = await hashStored(store, key, byteSize);
        // The bytes of one ETag are always the same, so repeated requests for one ETag read the object once.
        if (found !== null && etag !== null && found.etag === etag) known.set(name, found);
        return found;
      }).finally(() => running.delete(name));
      running.set(name, reading);
      return reading;
    },
  };
}

/**
 * Hashes an object. After a broken connection the reading continues at the same byte, unless the object was written
 * again meanwhile: then the reading starts over. Null: there is no object. @throws when the object is written again
 * repeatedly.
 */
export async function hashStored(
  store: Pick<ObjectStore, 'read'>,
  key: string,
  byteSize: number,
): Promise<StoredDigest | null> {
  for (let reading = 1; ; reading += 1) {
    let etag: string | null | undefined;
    const oneVersion: Pick<ObjectStore, 'read'> = {
      async read(asked, range) {
        const object = await store.read(asked, range);
        if (etag !== undefined && object?.etag !== etag) {
          object?.stream.destroy();
          throw new ObjectChangedError(`The object ${key} was written while it was read.`);
        }
        etag = object?.etag;
        return object;
      },
    };
    try {
      // No other process continues this digest, so the quick implementation is used for every size.
      const options = { byteSize, resumableAboveBytes: Number.MAX_SAFE_INTEGER };
      const hashed = await hashObject(oneVersion, key, options);
      return hashed === null ? null : { ...hashed, etag: etag ?? null };
    } catch (error) {
      if (!(error instanceof ObjectChangedError) || reading === READINGS) throw error;
    }
  }
}

/**
 * Whether the store still has the bytes that a digest was recorded for: by the ETag that was recorded with it, by the
 * digest that the store computed when it was written, else by reading them.
 */
export async function isUnchanged(
  digests: DigestReader,
  recorded: { readonly sha256: string; readonly etag: string | null },
  head: ObjectHead,
): Promise<boolean> {
  if (recorded.etag !== null && head.etag === recorded.etag) return true;
  if (head.sha256 !== null) return head.sha256 === recorded.sha256;
  const read = await digests.read(head);
  return read?.sha256 === recorded.sha256 && read.etag === head.etag;
}
