/**
 * Jobs that wait for room in the object store. A process that a full store refuses tries again until there is room, and notes
 * that with the job each time; a note of long ago says that the job goes on, so nobody has to take it back.
 */
import type { DataSource } from 'typeorm';

import { isStoreFull } from '../adapters/storage/full.ts';
import type { STATUS_WORDS } from '../domain/codes/jobs.ts';
import { announceJob } from './events/announce.ts';
import { SETTLED_SQL } from './job-state-sql.ts';

/** Reason of the state of such a job. */
export const STORE_FULL = 'STORE_FULL' satisfies keyof typeof STATUS_WORDS;

/** SQL of the reason of the state of a job `j`. */
export const STATUS_REASON = `case when j.store_full_at > now() - interval '1 minute' and j.status not in ${SETTLED_SQL}
  then '${STORE_FULL}' else j.status_reason end`;

/** Notes that the store has no room for what the job has made; a note that is a few seconds old is left as it is. */
export async function noteFullStore(db: DataSource, jobId: string): Promise<void> {
  const [noted] = await db.query<unknown[]>(
    `with noted as (
       update jobs set store_full_at = now(), version = version + 1, updated_at = now()
       where id = $1 and coalesce(store_full_at < now() - interval '15 seconds', true) returning 1)
     select * from noted`,
    [jobId],
  );
  if (noted !== undefined) await announceJob(db, jobId);
}

/** Does work that writes into the store; when the store has no room, that is noted with the job before the error goes on. */
export async function noteIfFull<T>(db: DataSource, jobId: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isStoreFull(error)) await noteFullStore(db, jobId);
    throw error;
  }
}
