/**
 * Removing what uploads leave behind: files that were announced and never named, uploads whose workflow is lost, parts
 * that no open upload knows, the files of removed accounts. A round acts on what it finds, and may be repeated. A thing
 * that cannot be swept does not stop the rest of the round, and is reported at the end.
 */
import pLimit from 'p-limit';
import { Any, IsNull } from 'typeorm';

import type { StoredObject } from '../../../entities/storage.ts';
import { UploadEntity } from '../../../entities/uploads.ts';
import type { Upload } from '../../../entities/uploads.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { rememberVerified } from '../verified-objects.ts';
import type { SeenObject } from '../verified-objects.ts';
import { closeUpload } from './end.ts';
import type { UploadWork } from './work.ts';
import { arrivalOf, HEADS_AT_ONCE } from './single-arrived.ts';
import type { AwaitedFile } from './single-arrived.ts';
import { Attempts } from '../stored-objects/sweep-attempts.ts';
import { sweepRemoved } from './sweep-removed.ts';
import { ACCOUNTS_ROOT, FIRST_ID, GRACE_SECONDS, SWEEP_BATCH } from './sweep-terms.ts';

export { removeAccountFiles, sweepRemoved } from './sweep-removed.ts';

/** The work on uploads, and whether the workflow of an upload runs; `isOpen` throws when Temporal does not answer. */
export interface UploadSweep extends UploadWork {
  isOpen(uploadId: string): Promise<boolean>;
}

interface ForgottenFile extends AwaitedFile, Row<StoredObject, 'accountId'> {
  readonly is_of_project: boolean;
}

interface EndedUpload extends Row<Upload, 'id' | 'storageKey'> {
  readonly is_last: boolean;
}

/**
 * When the objects of ended uploads are looked for again, in seconds after the end; the last look is after every PUT
 * has ended.
 */
const ENDED_FROM_SECONDS = 10 * 60;
const ENDED_LAST_SECONDS = GRACE_SECONDS + 3600;
const ENDED_BATCH = 1_000;

/** Runs one round of all steps. */
export async function sweepUploads(sweep: UploadSweep): Promise<void> {
  const attempts = new Attempts();
  for (const step of [sweepAnnounced, sweepLate, sweepRemoved, sweepParts, sweepEnded]) {
    await attempts.run(() => step(sweep));
  }
  attempts.finish('Not everything of uploads could be swept.');
}

/**
 * Removes files that were announced and never named, once no URL can store them any more. Files of a project that have
 * arrived stay. A request that names such a file at this moment waits for the lock of its row, and then reads the state
 * that the sweep has written. A round may repeat the removals of a crashed round.
 */
async function sweepAnnounced({ db, store }: UploadWork): Promise<void> {
  const attempts = new Attempts();
  const failed: string[] = [];
  for (let found = SWEEP_BATCH; found === SWEEP_BATCH;) {
    await inTransaction(db, async (tx) => {
      const rows = await tx.query<ForgottenFile[]>(
        `select storage_key, account_id, byte_size, announced_sha256, project_id is not null as is_of_project
         from stored_objects
         where state = 'ANNOUNCED' and expires_at < now() - make_interval(secs => $1) and storage_key <> all($3)
         order by expires_at limit $2 for update skip locked`,
        [GRACE_SECONDS, SWEEP_BATCH, failed],
      );
      const { arrived, unknown } = await lookForFiles(store, rows, attempts);
      await keepArrived(tx, rows, arrived);
      const keys = rows
        .map((row) => row.storage_key)
        .filter((key) => !arrived.has(key) && !unknown.includes(key));
      const gone = await attempts.remove(store, keys);
      await tx.query(`update stored_objects set state = 'DELETED' where storage_key = any($1)`, [[...gone]]);
      // Files that could not be checked or removed are left out of the next batches of this round.
      failed.push(...unknown, ...keys.filter((key) => !gone.has(key)));
      found = rows.length;
    });
  }
  attempts.finish('Not every forgotten file could be removed.');
}

/**
 * Checks which files of projects have arrived. A file for which the store does not answer is left for another round.
 */
async function lookForFiles(
  store: UploadWork['store'],
  rows: readonly ForgottenFile[],
  attempts: Attempts,
): Promise<{ readonly arrived: ReadonlyMap<string, SeenObject>; readonly unknown: readonly string[] }> {
  const limit = pLimit(HEADS_AT_ONCE);
  const arrived = new Map<string, SeenObject>();
  const unknown: string[] = [];
  const look = async (file: ForgottenFile): Promise<void> => {
    const found = await attempts.run(async () => ({ seen: await arrivalOf(store, file) }), file.storage_key);
    if (found === null) unknown.push(file.storage_key);
    else if (found.seen !== null) arrived.set(file.storage_key, found.seen);
  };
  await Promise.all(rows.filter((row) => row.is_of_project).map((file) => limit(() => look(file))));
  return { arrived, unknown };
}

/** Records the files that have arrived as verified, the oldest first. */
async function keepArrived(
  tx: Tx,
  rows: readonly ForgottenFile[],
  arrived: ReadonlyMap<string, SeenObject>,
): Promise<void> {
  for (const [accountId, files] of Map.groupBy(rows, (row) => row.account_id)) {
    const seen = files.flatMap((file) => arrived.get(file.storage_key) ?? []);
    if (seen.length > 0) await rememberVerified(tx, accountId, seen);
  }
}

/** Ends uploads whose time was over long ago and whose workflow is not there to end them. */
export async function sweepLate(sweep: UploadSweep): Promise<void> {
  const attempts = new Attempts();
  const message = 'The upload was not completed in time. Start a new one.';
  const end = async (uploadId: string): Promise<void> => {
    if (await sweep.isOpen(uploadId)) return;
    await closeUpload(sweep, { uploadId, state: 'EXPIRED', code: 'UPLOAD_EXPIRED', message });
  };
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    const late: readonly Row<Upload, 'id'>[] = await sweep.db.query(
      `select id from uploads where ended_at is null and expires_at < now() - make_interval(secs => $1) and id > $2
       order by id limit $3`,
      [GRACE_SECONDS, after, SWEEP_BATCH],
    );
    for (const { id } of late) await attempts.run(() => end(id), `upload ${id}`);
    after = late.at(-1)?.id;
  }
  attempts.finish('Not every lost upload could be ended.');
}

/**
 * Aborts multipart uploads in the store whose keys belong to no open upload: parts that arrived after the end of an
 * upload, and attempts that no row records. Young ones are left, because their uploads may be ending at this moment.
 */
export async function sweepParts({ db, store }: UploadWork): Promise<void> {
  const attempts = new Attempts();
  const before = Date.now() - GRACE_SECONDS * 1000;
  await attempts.run(async () => {
    for await (const page of store.listMultiparts(ACCOUNTS_ROOT)) {
      const old = page.filter(({ startedAt }) => startedAt.getTime() < before);
      if (old.length === 0) continue;
      const uploads = await db.getRepository(UploadEntity).find({
        select: { id: true, storageKey: true },
        where: { storageKey: Any(old.map(({ key }) => key)), endedAt: IsNull() },
      });
      const open = new Set(uploads.map((upload) => upload.storageKey));
      for (const { key, storeUploadId } of old) {
        if (!open.has(key))
          await attempts.run(() => store.abortMultipart(key, storeUploadId), `parts of ${key}`);
      }
    }
  });
  attempts.finish('Not all parts that nobody knows could be given up.');
}

/**
 * Removes once more the objects of uploads that ended without being completed. A store may still have been making an
 * object when the end of its upload cleared the store, and on Azure an address that is still valid can write the object
 * itself. An upload is looked at until one look came after its last address had ended, even if no sweep ran for a long
 * time.
 */
export async function sweepEnded({ db, store }: UploadWork): Promise<void> {
  const attempts = new Attempts();
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    const ended: readonly EndedUpload[] = await db.query(
      `select id, storage_key, ended_at < now() - make_interval(secs => $1) as is_last from uploads
         where state in ('FAILED', 'ABORTED', 'EXPIRED') and cleared_at is null
           and ended_at < now() - make_interval(secs => $2) and id > $3
         order by id limit $4`,
      [ENDED_LAST_SECONDS, ENDED_FROM_SECONDS, after, ENDED_BATCH],
    );
    const gone = await attempts.remove(
      store,
      ended.map((row) => row.storage_key),
    );
    const cleared = ended.filter((row) => row.is_last && gone.has(row.storage_key)).map((row) => row.id);
    await db.query('update uploads set cleared_at = now() where id = any($1)', [cleared]);
    after = ended.at(-1)?.id;
  }
  attempts.finish('Not every ended upload could be cleared.');
}
