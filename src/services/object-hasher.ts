/** Reading stored objects for their digests. Where the reading is done, on the event loop or beside it, is its maker's choice. */
import type { ObjectStore } from '../adapters/storage/storage.ts';
import { hashStored } from './stored-digests.ts';
import type { StoredDigest } from './stored-digests.ts';
import { hashObject } from './uploads/digest.ts';
import type { HashOptions, ObjectDigest } from './uploads/digest.ts';

/** How one object is read; from which size on another process can go on with it is the hasher's own. */
export type HasherOptions = Omit<HashOptions, 'resumableAboveBytes'>;

/** Reads objects for their digests. */
export interface ObjectHasher {
  /** Goes on from a checkpoint. Null: there is no object. @throws what the store throws when it breaks off again and again. */
  hash(key: string, options: HasherOptions): Promise<ObjectDigest | null>;
  /** The digest of one version, with its ETag. Null: there is no object. @throws when it is written again and again. */
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
