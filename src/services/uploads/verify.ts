/** The digest of an upload's stored object. */
import { invariantBroken } from '../../domain/invariant.ts';
import { hashObject } from './digest.ts';
import type { HashOptions, ObjectDigest } from './digest.ts';
import type { UploadWork } from './open.ts';
import { readUpload } from './rows.ts';

/** Hashes the object of an upload that is put together. An object that is gone has no bytes. */
export async function hashUpload(
  { db, store }: UploadWork,
  uploadId: string,
  options: Omit<HashOptions, 'byteSize'>,
): Promise<ObjectDigest> {
  const row = await readUpload(db, uploadId);
  if (row === null) throw invariantBroken(`There is no upload ${uploadId}.`);
  const hashed = await hashObject(store, row.storage_key, { ...options, byteSize: row.byte_size });
  return hashed ?? { byteSize: 0, sha256: '' };
}
