/**
 * The end of long pauses. Nothing of a paused job waits in a workflow, so rows say for how long the job has been paused: the
 * start of the job's workflow with the message `endPause` ends the job with what is verified. A pause that is not the customer's to
 * end (OPERATOR, LICENSE) lasts until somebody ends it, unless the job is the service's own, which nobody would end.
 *
 * A resume may be faster than the message: the run then belongs to an execution that is settled, writes changes of state that
 * are older than those of the resume, and so changes nothing.
 */
import type { DataSource } from 'typeorm';

import type { Job } from '../../../../entities/jobs.ts';
import type { Row } from '../../row.ts';
import { PAUSED_DAYS, type TakeUp } from '../../job-records/take-up.ts';
import { tellJobs } from './tell-jobs.ts';

const PAGE = 1_000;

const LONG_PAUSED = `
  select j.id from jobs j join job_executions e on e.job_id = j.id and e.n = j.execution and e.plan is not null
  where j.status = 'PAUSED' and j.finished_at is null and j.status_at < now() - make_interval(days => ${String(PAUSED_DAYS)})
    and (j.internal or coalesce(j.pause_reason, '') not in ('OPERATOR', 'LICENSE'))
  order by j.status_at, j.id limit ${String(PAGE)}`;

/** Ends the jobs that have been paused for longer than a pause may last, at most a page of them; answers how many were told. */
export async function endLongPauses(db: DataSource, takeUp: TakeUp): Promise<number> {
  const jobs = await db.query<Row<Job, 'id'>[]>(LONG_PAUSED);
  return tellJobs(jobs, takeUp, { kind: 'endPause' }, 'paused jobs were not told that their pause is over');
}
