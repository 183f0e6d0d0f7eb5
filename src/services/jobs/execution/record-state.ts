/** The job's row mirrors its workflow; only the workflow's activities write it. */
import type { DataSource } from 'typeorm';
import { invariantBroken } from '../../../domain/invariant.ts';
import { previousStates, type JobState } from '../../../domain/job-state.ts';

/**
 * Moves the job to a state that may follow its present one; the state itself may be recorded again.
 * @throws a broken invariant when the row is in a state that the new one cannot follow.
 */
export async function recordState(
  db: DataSource,
  change: { jobId: string; to: JobState; reason: string | null },
): Promise<void> {
  const rows = await db.query<unknown[]>(
    `with moved as (update jobs set status = $2, status_reason = $3, version = version + 1, updated_at = now(),
         started_at = case when $2 = 'RUNNING' then coalesce(started_at, now()) else started_at end,
         cancel_requested_at = case when $2 = 'CANCELLING' then coalesce(cancel_requested_at, now()) else cancel_requested_at end
       where id = $1 and (status = $2 or status = any($4)) returning 1) select * from moved`,
    [change.jobId, change.to, change.reason, previousStates(change.to)],
  );
  if (rows.length === 0)
    throw invariantBroken(`job ${change.jobId} cannot enter ${change.to} from its present state`);
}
