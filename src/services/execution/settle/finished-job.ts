/**
 * A job whose tasks have ended, as a tool sees the job when the tool makes the files of the end: page by page, because ten
 * thousand tasks with what instances have told may be more than the worker has memory. All pages are read in the caller's
 * transaction, so that they show one state of the job.
 */
import type { DockedLigand } from '../../../domain/docking-results.ts';
import type { FinishedJob, FinishedTask } from '../../../tools/finished.ts';
import type { Queryable } from '../../transaction.ts';

const PAGE = 1_000;

/** Reads the steps of a job, and answers how the tasks and the docked ligands are read; `numbers` are what a task's summary tells. */
export async function finishedJob(
  tx: Queryable,
  jobId: string,
  numbers: readonly string[],
): Promise<FinishedJob> {
  const steps = await tx.query<FinishedTask[]>(
    `select kind, ordinal, item_id as "itemId", state, failure_code as "failureCode", summary, false as "isDocked"
     from tasks where job_id = $1 and kind not in ('task', 'finish') order by kind, ordinal`,
    [jobId],
  );
  return {
    steps,
    tasks: () => allOf(PAGE, (after: FinishedTask | null) => tasksAfter(tx, jobId, numbers, after)),
    docked: () => allOf(PAGE, (after: DockedLigand | null) => dockedAfter(tx, jobId, after)),
  };
}

/** The rows of all pages, one after the other; the page after the last row of all is not asked for. */
async function* allOf<T>(page: number, read: (after: T | null) => Promise<readonly T[]>): AsyncGenerator<T> {
  let after: T | null = null;
  for (;;) {
    const rows: readonly T[] = await read(after);
    yield* rows;
    after = rows.at(-1) ?? null;
    if (after === null || rows.length < page) return;
  }
}

/** The next tasks in the order of the request. */
function tasksAfter(
  tx: Queryable,
  jobId: string,
  numbers: readonly string[],
  after: FinishedTask | null,
): Promise<FinishedTask[]> {
  return tx.query(
    `select t.kind, t.ordinal, t.item_id as "itemId", t.state, t.failure_code as "failureCode",
       (select jsonb_object_agg(key, value) from jsonb_each(t.summary)
         where key = any($2::text[]) and jsonb_typeof(value) = 'number') as summary,
       exists (select from docking_results r where r.job_id = t.job_id and r.ordinal = t.ordinal) as "isDocked"
     from tasks t where t.job_id = $1 and t.kind = 'task' and t.ordinal > $3::int order by t.ordinal limit $4`,
    [jobId, numbers, after?.ordinal ?? -1, PAGE],
  );
}

/** The next docked ligands; the index of the ranking has them in this order. */
function dockedAfter(tx: Queryable, jobId: string, after: DockedLigand | null): Promise<DockedLigand[]> {
  return tx.query(
    `select ordinal, ligand_id as "ligandId", best_affinity_kcal_mol as "bestAffinityKcalMol", ligand_efficiency as "ligandEfficiency",
       size_independent_efficiency as "sizeIndependentEfficiency", pose_count as "poseCount",
       best_pose_failed_checks as "bestPoseFailedChecks", plausible_pose_count as "plausiblePoseCount"
     from docking_results where job_id = $1 and ($2::float8 is null or (best_affinity_kcal_mol, ligand_id) > ($2, $3::text))
     order by best_affinity_kcal_mol, ligand_id limit $4`,
    [jobId, after?.bestAffinityKcalMol ?? null, after?.ligandId ?? null, PAGE],
  );
}
