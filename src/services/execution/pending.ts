/** The undecided tasks of a job, read from Postgres, which alone keeps the states of tasks. */
import type { DataSource } from 'typeorm';
import type { Task } from '../../../entities/tasks.ts';
import type { JobPartInput } from '../../contracts/job.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import type { Row } from '../row.ts';

/** The undecided ordinals of a range, ascending. */
export async function listPendingTasks(
  db: DataSource,
  part: Pick<JobPartInput, 'jobId' | 'kind' | 'from' | 'to'>,
): Promise<number[]> {
  const rows = await db.query<Row<Task, 'ordinal'>[]>(
    `select ordinal from tasks where job_id = $1 and kind = $2 and ordinal >= $3 and ordinal < $4
       and state in ('PENDING', 'RUNNING') order by ordinal`,
    [part.jobId, part.kind, part.from, part.to],
  );
  return rows.map((row) => row.ordinal);
}

/** The undecided work of a job, and whether a cancel was requested: the message may be lost, the note in the row is not. */
export interface Outstanding {
  /** Parts with undecided tasks, ascending. */
  readonly parts: readonly number[];
  /** Whether the job has a control step that is undecided. */
  readonly controlOpen: boolean;
  /** Whether the job has an undecided merge and a verified task to merge. */
  readonly mergeOpen: boolean;
  readonly cancelRequested: boolean;
  readonly cancelReason: string | null;
}

/** Reads what is left of a job, by the first ordinals of its parts. */
export async function outstanding(
  db: DataSource,
  { jobId, partStarts }: { readonly jobId: string; readonly partStarts: readonly number[] },
): Promise<Outstanding> {
  const [row] = await db.query<Outstanding[]>(
    `select cancel_requested_at is not null as "cancelRequested", cancel_reason as "cancelReason",
       array(select distinct width_bucket(t.ordinal, $2::int[]) - 1 from tasks t where t.job_id = j.id and t.kind = 'task'
         and t.state in ('PENDING', 'RUNNING') order by 1) as parts,
       exists (select from tasks t where t.job_id = j.id and t.kind = 'control'
         and t.state in ('PENDING', 'RUNNING')) as "controlOpen",
       exists (select from tasks t where t.job_id = j.id and t.kind = 'merge' and t.state in ('PENDING', 'RUNNING')) and
         exists (select from tasks t where t.job_id = j.id and t.kind = 'task' and t.state = 'SUCCEEDED') as "mergeOpen"
     from jobs j where j.id = $1`,
    [jobId, partStarts],
  );
  if (row === undefined) throw invariantBroken(`job ${jobId} does not exist`);
  return row;
}
