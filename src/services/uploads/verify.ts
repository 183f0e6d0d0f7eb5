/** The digest of an upload's stored object. */
import { invariantBroken } from '../../domain/invariant.ts';
import type { FileTurns } from '../file-turns.ts';
import type { HasherOptions, ObjectHasher } from '../stored-objects/object-hasher.ts';
import type { Queryable } from '../transaction.ts';
import type { ObjectDigest } from '../stored-objects/digest.ts';
import { readUpload } from './rows.ts';

/** The database, the hasher and the turns by which the object of an upload is hashed. */
export interface VerifyWork {
  readonly db: Queryable;
  readonly hasher: ObjectHasher;
  readonly turns: FileTurns;
}

/**
 * Hashes the object of an upload that is put together. An object that is gone has no bytes.
 * @throws NoTurnError while its account has no turn.
 */
export async function hashUpload(
  { db, hasher, turns }: VerifyWork,
  uploadId: string,
  options: Omit<HasherOptions, 'byteSize'>,
): Promise<ObjectDigest> {
  const row = await readUpload(db, uploadId);
  if (row === null) throw invariantBroken(`There is no upload ${uploadId}.`);
  const hashed = await turns.during({ id: uploadId, accountId: row.account_id }, () =>
    hasher.hash(row.storage_key, { ...options, byteSize: row.byte_size }),
  );
  return hashed ?? { byteSize: 0, sha256: '' };
}
