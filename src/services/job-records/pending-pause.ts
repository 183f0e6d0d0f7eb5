/**
 * A pause is carried out when what runs has ended, which may take hours. Until then the row of the job has the reason of the pause,
 * so that the status says that the job is about to pause, and a run that takes the job up from its rows pauses it.
 */
import type { PauseReason } from '../../domain/job-state.ts';
import type { Queryable } from '../transaction.ts';

/** SQL: the states of a job `j` in which a pause is pending when its row has a reason of one. */
export const MAY_PAUSE_SQL = `('SUBMITTED', 'QUEUED', 'PROVISIONING', 'RUNNING', 'RECOVERING')`;

/** Notes that a job is about to pause; the first reason stays. Answers whether the row has changed. */
export async function notePause(db: Queryable, jobId: string, reason: PauseReason): Promise<boolean> {
  const noted = await db.query<unknown[]>(
    `with noted as (update jobs set pause_reason = $2, version = version + 1, updated_at = now()
       where id = $1 and pause_reason is null and status in ${MAY_PAUSE_SQL} returning 1) select * from noted`,
    [jobId, reason],
  );
  return noted.length > 0;
}
