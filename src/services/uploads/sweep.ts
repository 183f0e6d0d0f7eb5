/**
 * What uploads leave behind: files that were announced and never named, uploads whose workflow is lost, parts that no
 * open upload knows, the files of removed accounts. Every round acts on what it finds, and may be repeated.
 */
import { inTransaction } from '../transaction.ts';
import { abortUnder, closeUpload } from './end.ts';
import type { UploadWork } from './open.ts';

/** What the sweep needs besides: whether the workflow of an upload runs. Throws when Temporal does not answer. */
export interface UploadSweep extends UploadWork {
  isOpen(uploadId: string): Promise<boolean>;
}

/** Everything that uploads keep lies under it. */
const ACCOUNTS_ROOT = 'accounts/';
/** A PUT that began while its URL was valid may end later than that. */
const GRACE_SECONDS = 2 * 3600;
/** When the objects of ended uploads are looked for again, counted from their end; past the end of every PUT. */
const ENDED_FROM_SECONDS = 10 * 60;
const ENDED_UNTIL_SECONDS = GRACE_SECONDS + 3600;
const SWEEP_BATCH = 100;

/** One round over all of it. What cannot be swept keeps nothing else from it, and is told at the end. */
export async function sweepUploads(sweep: UploadSweep): Promise<void> {
  const failures: unknown[] = [];
  for (const step of [sweepAnnounced, sweepLate, sweepRemoved, sweepParts, sweepEnded]) {
    await step(sweep).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0)
    throw new Error('Not everything of uploads could be swept.', { cause: failures[0] });
}

/**
 * Removes files that were announced and never named, once no URL can store them any more. A request that names one at
 * this moment waits for the row and then finds it gone; removing again what a crashed round removed changes nothing.
 */
export async function sweepAnnounced({ db, store }: UploadWork): Promise<void> {
  for (let swept = SWEEP_BATCH; swept === SWEEP_BATCH;) {
    swept = await inTransaction(db, async (tx) => {
      const rows = await tx.query<{ readonly storage_key: string }[]>(
        `select storage_key from stored_objects
         where state = 'ANNOUNCED' and expires_at < now() - make_interval(secs => $1)
         order by expires_at limit $2 for update skip locked`,
        [GRACE_SECONDS, SWEEP_BATCH],
      );
      const keys = rows.map((row) => row.storage_key);
      if (keys.length === 0) return 0;
      await store.remove(keys);
      await tx.query(`update stored_objects set state = 'DELETED' where storage_key = any($1)`, [keys]);
      return keys.length;
    });
  }
}

/** Ends uploads whose time was over long ago and whose workflow is not there to end them. */
export async function sweepLate(sweep: UploadSweep): Promise<void> {
  const late = await sweep.db.query<{ readonly id: string }[]>(
    `select id from uploads where ended_at is null and expires_at < now() - make_interval(secs => $1)
     order by expires_at limit $2`,
    [GRACE_SECONDS, SWEEP_BATCH],
  );
  for (const { id } of late) {
    if (await sweep.isOpen(id)) continue;
    const message = 'The upload was not completed in time. Start a new one.';
    await closeUpload(sweep, { uploadId: id, state: 'EXPIRED', code: 'UPLOAD_EXPIRED', message });
  }
}

/**
 * Gives up multipart uploads of the store under keys that no open upload has: parts that arrived after an end, attempts
 * that nobody recorded. Young ones are left, because an upload may just be ending.
 */
export async function sweepParts({ db, store }: UploadWork): Promise<void> {
  const before = Date.now() - GRACE_SECONDS * 1000;
  for await (const page of store.listMultiparts(ACCOUNTS_ROOT)) {
    const old = page.filter(({ startedAt }) => startedAt.getTime() < before);
    if (old.length === 0) continue;
    const rows = await db.query<{ readonly storage_key: string }[]>(
      'select storage_key from uploads where storage_key = any($1) and ended_at is null',
      [old.map(({ key }) => key)],
    );
    const open = new Set(rows.map((row) => row.storage_key));
    for (const { key, storeUploadId } of old) {
      if (!open.has(key)) await store.abortMultipart(key, storeUploadId);
    }
  }
}

/**
 * Removes again what uploads left that ended otherwise than completed: a store may still have been putting one together
 * when its end cleared it, and on Azure an address that is still valid can write the object itself.
 */
export async function sweepEnded({ db, store }: UploadWork): Promise<void> {
  const ended = await db.query<{ readonly storage_key: string }[]>(
    `select storage_key from uploads where state in ('FAILED', 'ABORTED', 'EXPIRED')
       and ended_at between now() - make_interval(secs => $1) and now() - make_interval(secs => $2)`,
    [ENDED_UNTIL_SECONDS, ENDED_FROM_SECONDS],
  );
  await store.remove(ended.map((row) => row.storage_key));
}

/** Notes that an account's files are to go; the next rounds remove them, and what still arrives. Repeatable. */
export async function removeAccountFiles({ db }: Pick<UploadWork, 'db'>, accountId: string): Promise<void> {
  await db.query('insert into account_removals (account_id) values ($1) on conflict do nothing', [accountId]);
}

/** Removes what removed accounts have in the store. It is done once nothing can arrive any more and nothing is left. */
export async function sweepRemoved(work: UploadWork): Promise<void> {
  const { db } = work;
  const due = await db.query<{ readonly account_id: string; readonly last_round: boolean }[]>(
    `select account_id, requested_at < now() - make_interval(secs => $1) as last_round from account_removals
     where swept_at is null order by requested_at limit $2`,
    [GRACE_SECONDS, SWEEP_BATCH],
  );
  for (const { account_id: accountId, last_round: lastRound } of due) {
    await removeFiles(work, accountId);
    if (lastRound) {
      await db.query('update account_removals set swept_at = now() where account_id = $1', [accountId]);
    }
  }
}

async function removeFiles(work: UploadWork, accountId: string): Promise<void> {
  const { db, store } = work;
  const open = await db.query<{ readonly id: string }[]>(
    'select id from uploads where account_id = $1 and ended_at is null',
    [accountId],
  );
  for (const { id } of open) {
    const message = 'The account was removed.';
    await closeUpload(work, { uploadId: id, state: 'ABORTED', code: 'UPLOAD_ABORTED', message });
  }
  // Not to be named any more, before they are gone.
  await db.query(`update stored_objects set state = 'DELETED' where account_id = $1 and state <> 'DELETED'`, [
    accountId,
  ]);
  const root = `${ACCOUNTS_ROOT}${accountId}/`;
  await abortUnder(store, root);
  for await (const page of store.list(root)) await store.remove(page.map(({ key }) => key));
}
