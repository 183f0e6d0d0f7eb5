/**
 * The request of a job, so that its customer can read it, copy it and send it again. Members that stood for the one submit are
 * left out: its keys and its quote. So are the files of a database of the catalogue, which the service has attached and which are
 * no customer's: the request names the database. The job of a batch names an indexed library, which no submit takes, so it is said to be
 * started where batches are started.
 */
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import type { Actor } from '../../domain/access.ts';
import type { Answers } from '../../domain/answers.ts';
import { readRequest } from '../job-records/request.ts';
import { ACCOUNTS_ROOT } from '../uploads/sweep-terms.ts';
import { jobNotFound, ownedJob } from './owned.ts';

const OF_A_BATCH =
  'This job docks a library of a batch. Start another batch, or another run of this one, in the place of a submit.';

/** Reads the request of a job. @throws NOT_FOUND. */
export async function sentRequest(
  { db, store }: { readonly db: DataSource; readonly store: ObjectStore },
  actor: Actor,
  jobId: string,
): Promise<Answers['getJobRequest']> {
  const [id, accountId] = ownedJob(actor, jobId);
  const found = await readRequest(db, store, { jobId: id, accountId });
  if (found === null) throw jobNotFound();
  const { idempotencyKey: _key, quoteId: _quote, dockingRequest: _link, ...request } = found.request;
  const { attachments = [], ...rest } = request;
  const own = attachments.filter((key) => key.startsWith(`${ACCOUNTS_ROOT}${accountId}/`));
  const { libraryUse, dryRun, ...params } = request.simulationParams ?? {};
  const isOfBatch = libraryUse !== undefined || dryRun !== undefined;
  return {
    jobId: id,
    request: {
      ...rest,
      ...(own.length > 0 ? { attachments: own } : {}),
      ...(isOfBatch ? { simulationParams: params } : {}),
    },
    effectiveSeed: found.effectiveSeed,
    submittable: !isOfBatch,
    advice: isOfBatch ? OF_A_BATCH : null,
  };
}
