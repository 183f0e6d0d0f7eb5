/**
 * Files of project packages that were stored by one PUT. No request names such files one by one. Whether a file has
 * arrived as announced is therefore checked when the files are listed, and by the sweep before the sweep would remove
 * the file.
 */
import pLimit from 'p-limit';

import type { StoredObject } from '../../../entities/storage.ts';
import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Row } from '../row.ts';
import { repeatConflicts } from '../transaction.ts';
import { rememberVerified, seenOf } from '../verified-objects.ts';
import type { SeenObject } from '../verified-objects.ts';
import type { UploadWork } from './work.ts';

/** An announced file as its row tells it. */
export type AwaitedFile = Row<StoredObject, 'storageKey' | 'byteSize' | 'announcedSha256'>;

/** Files that are looked for at once. */
export const HEADS_AT_ONCE = 16;
/** A list looks for this many files at most, chosen at random, so that files that never arrive do not hide others. */
const HEADS_PER_LIST = 256;

/**
 * Verifies what has arrived of an account's announced project files: of one project, or with one digest, when it is
 * named.
 */
export async function verifyArrived(
  { db, store }: UploadWork,
  accountId: string,
  wanted: { readonly projectId: string | null; readonly sha256: string | null },
): Promise<void> {
  const awaited = await db.query<AwaitedFile[]>(
    `select storage_key, byte_size, announced_sha256 from stored_objects
     where account_id = $1 and state = 'ANNOUNCED' and project_id is not null and ($2::uuid is null or project_id = $2)
       and ($3::text is null or announced_sha256 is null or announced_sha256 = $3)
     order by random() limit $4`,
    [accountId, wanted.projectId, wanted.sha256, HEADS_PER_LIST],
  );
  const limit = pLimit(HEADS_AT_ONCE);
  // A file that cannot be checked now is checked by the next list, or by the sweep, which reports a failure.
  const seen = await Promise.all(
    awaited.map((file) => limit(() => arrivalOf(store, file).catch(() => null))),
  );
  const arrived = seen.filter((one) => one !== null);
  // Lists and submits may record the same files at once, each in its own order, so a deadlock is possible.
  if (arrived.length > 0) await repeatConflicts(() => rememberVerified(db, accountId, arrived));
}

/** The file, when the store has it with the announced size, and with the announced digest where it computed one. */
export async function arrivalOf(
  store: Pick<ObjectStore, 'head'>,
  file: AwaitedFile,
): Promise<SeenObject | null> {
  const head = await store.head(file.storage_key);
  if (head?.byteSize !== file.byte_size) return null;
  const { announced_sha256: announced } = file;
  return announced !== null && head.sha256 !== null && head.sha256 !== announced ? null : seenOf(head);
}
