/** The job's row mirrors its workflow; only the workflow's activities write it. */
import type { DataSource } from 'typeorm';

import type { Job } from '../../../entities/jobs.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import { previousStates, type JobState } from '../../domain/job-state.ts';
import type { Row } from '../row.ts';

/** A change of a job's state. `transition` counts the job's changes, so that a late attempt changes nothing. */
export interface StateChange {
  readonly jobId: string;
  readonly transition: number;
  readonly to: JobState;
  readonly reason: string | null;
}

/**
 * Moves the job to a state that may follow its present one; the state itself may be recorded again. An attempt that
 * comes after a later change, as one of a stalled worker does, has no effect.
 * @throws a broken invariant when the row is in a state that the new one cannot follow.
 */
export async function recordState(db: DataSource, change: StateChange): Promise<void> {
  const rows = await db.query<(Row<Job, 'transition' | 'status'> & { readonly moved: boolean })[]>(
    `with moved as (update jobs set status = $2, status_reason = $3, transition = $5, version = version + 1, updated_at = now(),
         started_at = case when $2 = 'RUNNING' then coalesce(started_at, now()) else started_at end,
         cancel_requested_at = case when $2 = 'CANCELLING' then coalesce(cancel_requested_at, now()) else cancel_requested_at end
       where id = $1 and transition < $5 and (status = $2 or status = any($4)) returning id)
     select exists (select from moved) as moved, transition, status from jobs where id = $1`,
    [change.jobId, change.to, change.reason, previousStates(change.to), change.transition],
  );
  const [row] = rows;
  if (row === undefined) throw invariantBroken(`job ${change.jobId} does not exist`);
  if (row.moved || row.transition >= change.transition) return;
  throw invariantBroken(`job ${change.jobId} cannot enter ${change.to} from ${row.status}`);
}
