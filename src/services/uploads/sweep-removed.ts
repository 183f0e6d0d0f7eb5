/** Removing what removed accounts have in the store: files, outputs, stored requests, logs. */
import { IsNull } from 'typeorm';

import type { Job } from '../../../entities/jobs.ts';
import { TaskLogChunkEntity } from '../../../entities/tasks.ts';
import { AccountRemovalEntity, UploadEntity } from '../../../entities/uploads.ts';
import type { AccountRemoval } from '../../../entities/uploads.ts';
import { logPrefix, REQUEST_ROOT } from '../../contracts/names.ts';
import { insertIfNew } from '../insert-if-new.ts';
import type { Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';
import { abortUnder, closeUpload } from './end.ts';
import type { UploadWork } from './work.ts';
import { Attempts } from '../stored-objects/sweep-attempts.ts';
import { ACCOUNTS_ROOT, FIRST_ID, GRACE_SECONDS, SWEEP_BATCH } from './sweep-terms.ts';

interface DueRemoval extends Row<AccountRemoval, 'accountId'> {
  readonly last_round: boolean;
}

/**
 * Records that an account's files are to be removed; the next rounds remove the files and those that still arrive.
 * Repeatable.
 */
export async function removeAccountFiles(
  { db }: { readonly db: Queryable },
  accountId: string,
): Promise<void> {
  await insertIfNew(db, AccountRemovalEntity, { accountId });
}

/**
 * Removes what removed accounts have in the store. An account is done once no file can arrive any more and none is
 * left.
 */
export async function sweepRemoved(work: UploadWork): Promise<void> {
  const { db } = work;
  const attempts = new Attempts();
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    const due: readonly DueRemoval[] = await db.query(
      `select account_id, requested_at < now() - make_interval(secs => $1) as last_round from account_removals
       where swept_at is null and account_id > $2 order by account_id limit $3`,
      [GRACE_SECONDS, after, SWEEP_BATCH],
    );
    for (const { account_id: accountId, last_round: lastRound } of due) {
      await attempts.run(async () => {
        await removeFiles(work, accountId, lastRound);
        if (!lastRound) return;
        await db.query('update account_removals set swept_at = now() where account_id = $1', [accountId]);
      }, `account ${accountId}`);
    }
    after = due.at(-1)?.account_id;
  }
  attempts.finish('Not everything of removed accounts could be removed.');
}

async function removeFiles(work: UploadWork, accountId: string, lastRound: boolean): Promise<void> {
  const { db, store } = work;
  const attempts = new Attempts();
  const open = await db
    .getRepository(UploadEntity)
    .find({ select: { id: true }, where: { accountId, endedAt: IsNull() } });
  for (const { id } of open) {
    const message = 'The account was removed.';
    const closing = { uploadId: id, state: 'ABORTED', code: 'UPLOAD_ABORTED', message } as const;
    await attempts.run(() => closeUpload(work, closing), `upload ${id}`);
  }
  // The rows are marked before the bytes are removed, so that no request names a file that is about to go.
  await db.query(`update stored_objects set state = 'DELETED' where account_id = $1 and state <> 'DELETED'`, [
    accountId,
  ]);
  const root = `${ACCOUNTS_ROOT}${accountId}/`;
  await attempts.run(() => abortUnder(store, root));
  for (const prefix of [root, `${REQUEST_ROOT}${accountId}/`]) {
    await attempts.run(() => removeUnder(work, prefix, attempts), prefix);
  }
  await removeLogs(work, accountId, { lastRound, attempts });
  attempts.finish(`Not everything of the account ${accountId} could be removed.`);
}

/**
 * Removes the logs of the account's jobs. Recorded logs are found by their rows, and the rows are deleted with the
 * logs, so that no round looks at a job twice. The last round looks at all jobs, for chunks that were stored without a
 * row.
 */
async function removeLogs(
  work: UploadWork,
  accountId: string,
  { lastRound, attempts }: { readonly lastRound: boolean; readonly attempts: Attempts },
): Promise<void> {
  const { db } = work;
  for (let after: string | undefined = FIRST_ID; after !== undefined;) {
    const jobs: readonly Row<Job, 'id'>[] = await db.query(
      `select id from jobs j where account_id = $1 and id > $2
         and ($3 or exists (select from task_logs l where l.job_id = j.id)) order by id limit $4`,
      [accountId, after, lastRound, SWEEP_BATCH],
    );
    for (const { id } of jobs) {
      await attempts.run(async () => {
        if (await removeUnder(work, logPrefix(id), attempts))
          await db.getRepository(TaskLogChunkEntity).delete({ jobId: id });
      }, `logs of job ${id}`);
    }
    after = jobs.at(-1)?.id;
  }
}

/** Whether everything under the prefix is gone. */
async function removeUnder({ store }: UploadWork, prefix: string, attempts: Attempts): Promise<boolean> {
  let isGone = true;
  for await (const page of store.list(prefix)) {
    const keys = page.map(({ key }) => key);
    const gone = await attempts.remove(store, keys);
    isGone &&= gone.size === keys.length;
  }
  return isGone;
}
