/**
 * Reading stored objects for their digests, on the event loop or in a thread beside it: each implementation chooses.
 */
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { hashStored } from './stored-digests.ts';
import type { StoredDigest } from './stored-digests.ts';
import { hashObject } from './digest.ts';
import type { HashOptions, ObjectDigest } from './digest.ts';

/** Options of reading one object. The hasher itself decides from which size on another process can continue a digest. */
export type HasherOptions = Omit<HashOptions, 'resumableAboveBytes'>;

/** Reads objects for their digests. */
export interface ObjectHasher {
  /**
   * Hashes an object, from a checkpoint on when there is one. Null: there is no object.
   * @throws the store's error when reads fail repeatedly.
   */
  hash(key: string, options: HasherOptions): Promise<ObjectDigest | null>;
  /**
   * The digest of one version, with its ETag. Null: there is no object.
   * @throws when the object is written again during each read.
   */
  hashVersion(key: string, byteSize: number): Promise<StoredDigest | null>;
}

/** Hashes on the event loop of its caller. */
export function createObjectHasher(
  store: Pick<ObjectStore, 'read'>,
  sizes: Pick<HashOptions, 'resumableAboveBytes'> = {},
): ObjectHasher {
  return {
    hash: (key, options) => hashObject(store, key, { ...options, ...sizes }),
    hashVersion: (key, byteSize) => hashStored(store, key, byteSize),
  };
}
