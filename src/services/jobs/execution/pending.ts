/** What is left to do: read from Postgres, the only home of task states. */
import type { DataSource } from 'typeorm';
import { PART_TASKS, type JobPartInput } from '../../../contracts/job.ts';

/** The undecided ordinals of a range, ascending. */
export async function listPendingTasks(
  db: DataSource,
  part: Pick<JobPartInput, 'jobId' | 'kind' | 'from' | 'to'>,
): Promise<number[]> {
  const rows = await db.query<{ ordinal: number }[]>(
    `select ordinal from tasks where job_id = $1 and kind = $2 and ordinal >= $3 and ordinal < $4
       and state in ('PENDING', 'RUNNING') order by ordinal`,
    [part.jobId, part.kind, part.from, part.to],
  );
  return rows.map((row) => row.ordinal);
}

/** The parts with undecided tasks, ascending. */
export async function pendingParts(db: DataSource, jobId: string): Promise<number[]> {
  const rows = await db.query<{ part: number }[]>(
    `select distinct ordinal / $2 as part from tasks where job_id = $1 and kind = 'task'
       and state in ('PENDING', 'RUNNING') order by part`,
    [jobId, PART_TASKS],
  );
  return rows.map((row) => row.part);
}
