/**
 * The look of every waiting job, made for all of them at once: one process looks every ten minutes, with a statement for all jobs
 * that wait and a page of Temporal's list for each thousand of open jobs. A waiting job has no timer of its own for this, so its
 * history and the database stay quiet however many jobs wait. A job whose request for capacity is lost, or that has not gone on
 * with its grant, is told to ask again; a job whose workflow is gone is taken up from its rows.
 */
import type { DataSource } from 'typeorm';

import type { Job } from '../../../../entities/jobs.ts';
import type { JobWorkflows } from '../../../adapters/temporal/client.ts';
import type { Row } from '../../row.ts';
import type { TakeUp } from '../../job-records/take-up.ts';
import { takeUpAbandoned } from './abandoned.ts';
import type { AbandonedJob } from './abandoned.ts';
import { passThrough } from './sweep-pass.ts';
import type { PassTimes } from './sweep-pass.ts';

export interface LookDependencies {
  readonly db: DataSource;
  readonly workflows: Pick<JobWorkflows, 'capacity' | 'endOf' | 'openJobs'>;
  readonly takeUp: TakeUp;
}

/** Findings of a look: jobs that were told to ask again, jobs that were taken up, and jobs that an operator has to look at. */
export interface Look {
  readonly told: readonly string[];
  readonly takenUp: readonly AbandonedJob[];
  readonly left: readonly AbandonedJob[];
}

const LOOK = 'capacity-looks';
/** A workflow that was told of its grant needs a moment to say that it goes on, and one that begins to wait a moment to ask. */
const SETTLED_SECONDS = 60;
const TOLD_AT_ONCE = 100;

/**
 * QUEUED jobs for which nobody would do anything: they have no request, or a request was granted and they still wait. A job whose
 * provider has no room has given its request back, and asks again after a pause of its own.
 */
const STUCK = `
  select j.id from jobs j
  left join capacity_requests c on c.job_id = j.id and c.execution = j.execution and c.state <> 'RELEASED'
  where j.finished_at is null and j.status = 'QUEUED' and j.status_reason is distinct from 'NO_CAPACITY'
    and j.status_at < now() - make_interval(secs => $1)
    and (c.job_id is null or c.granted_at < now() - make_interval(secs => $1))
  order by j.id`;

/** Makes the look when it is due; null when another process has made it, or it is not due yet. */
export async function lookAfterWaiting(deps: LookDependencies, times: PassTimes): Promise<Look | null> {
  let look: Look | null = null;
  await passThrough(deps.db, LOOK, async () => void (look = await lookNow(deps)), times);
  return look;
}

async function lookNow({ db, workflows, takeUp }: LookDependencies): Promise<Look> {
  // Temporal's list of open workflows may lag behind, so a job that is not in it is asked for by its id before it counts as gone.
  const open = await workflows.openJobs();
  const endOf = async (jobId: string) => (open.has(jobId) ? null : workflows.endOf(jobId));
  const { takenUp, left } = await takeUpAbandoned(db, endOf, takeUp);
  const stuck = await db.query<Row<Job, 'id'>[]>(STUCK, [SETTLED_SECONDS]);
  const told = stuck.map(({ id }) => id);
  for (let from = 0; from < told.length; from += TOLD_AT_ONCE)
    await workflows.capacity(told.slice(from, from + TOLD_AT_ONCE));
  return { told, takenUp, left };
}
