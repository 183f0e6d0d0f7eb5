/** The job's row mirrors its workflow; only the workflow's activities write it. */
import type { DataSource } from 'typeorm';

import { JobEntity } from '../../../entities/jobs.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import { previousStates, type JobState } from '../../domain/job-state.ts';
import { announceJob } from '../events/announce.ts';
import { statusChange, writeJobStatus } from '../events/job-status.ts';

/** A change of a job's state. `transition` counts the job's changes, so that a late attempt changes nothing. */
export interface StateChange {
  readonly jobId: string;
  readonly transition: number;
  readonly to: JobState;
  readonly reason: string | null;
}

const CHANGE = statusChange(`
  update jobs j set status = $2, status_reason = $3, transition = $5, version = version + 1, updated_at = now(),
    started_at = case when $2 = 'RUNNING' then coalesce(started_at, now()) else started_at end,
    cancel_requested_at = case when $2 = 'CANCELLING' then coalesce(cancel_requested_at, now()) else cancel_requested_at end
  from before where j.id = before.job_id and j.transition < $5 and (j.status = $2 or j.status = any($4))`);

/**
 * Moves the job to a state that may follow its present one; the state itself may be recorded again. An attempt that
 * comes after a later change, as one of a stalled worker does, has no effect.
 * @throws a broken invariant when the row is in a state that the new one cannot follow.
 */
export async function recordState(db: DataSource, change: StateChange): Promise<void> {
  const { jobId, to, reason, transition } = change;
  const parameters = [jobId, to, reason, previousStates(to), transition];
  const moved = await writeJobStatus(db, CHANGE, parameters);
  if (!moved) await mustBeLater(db, change);
  // The job is announced also when nothing moved: an earlier attempt may have died between its commit and its announcement.
  await announceJob(db, jobId);
}

/** @throws a broken invariant unless the job's row tells of this change or a later one. */
async function mustBeLater(db: DataSource, { jobId, to, transition }: StateChange): Promise<void> {
  const row = await db
    .getRepository(JobEntity)
    .findOne({ select: { id: true, transition: true, status: true }, where: { id: jobId } });
  if (row === null) throw invariantBroken(`job ${jobId} does not exist`);
  if (row.transition >= transition) return;
  throw invariantBroken(`job ${jobId} cannot enter ${to} from ${row.status}`);
}
