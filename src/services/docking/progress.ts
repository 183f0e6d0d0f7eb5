/** State of the job of a run, for the view of its workflow. */
import type { Job } from '../../../entities/jobs.ts';
import type { DockingProgress } from '../../contracts/docking.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import type { Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';

interface ProgressRow extends Row<Job, 'status' | 'taskTotal' | 'tasksVerified' | 'tasksFailed'> {
  readonly best: number | null;
}

const PROGRESS = `
  select j.status, j.task_total, j.tasks_verified, j.tasks_failed,
    (select min(best_affinity_kcal_mol) from docking_results r where r.job_id = j.id) as best
  from jobs j where j.id = $1`;

/** Reads the state, the counts and the best affinity of a job. */
export async function dockingProgress(db: Queryable, jobId: string): Promise<DockingProgress> {
  const [row] = await db.query<ProgressRow[]>(PROGRESS, [jobId]);
  if (row === undefined) throw invariantBroken('a run of docking has no job');
  return {
    state: row.status,
    total: row.task_total,
    succeeded: row.tasks_verified,
    failed: row.tasks_failed,
    bestAffinityKcalMol: row.best,
  };
}
