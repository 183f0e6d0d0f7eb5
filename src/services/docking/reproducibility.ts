/**
 * Findings of the sample of a batch so far, counted from the records of its jobs and of the batch. Bytes are the same only on one
 * class of processors, so they are compared only there, and the finding has the number of ligands compared.
 */
import type { DataSource } from 'typeorm';

import type { DockingRunFailure } from '../../domain/docking-records.ts';
import type { JobState } from '../../domain/job-state.ts';
import { FAILURE } from './read-runs.ts';
import type { DockingBatchResponse } from '../../domain/answers.ts';

type DockingReproducibility = NonNullable<DockingBatchResponse['batch']['reproducibility']>;
type SampleFinding = NonNullable<NonNullable<DockingBatchResponse['batch']['reproducibility']>['same_seed']>;

interface FindingRow {
  readonly kind: 'same' | 'other';
  readonly seed: number | null;
  readonly status: JobState;
  readonly ligands: number;
  readonly compared: number;
  readonly alike: number;
  readonly identical: number;
  readonly close: number;
  readonly failure: DockingRunFailure | null;
}

/** Scores that lie no further apart are told as equal, in kcal/mol. */
const CLOSE = 0.3;

/** Whether both were docked on one class of processors. */
const ALIKE = 'd.cpu_class is not distinct from o.cpu_class';
/**
 * Whether the result of the batch was docked under another ligand id. Its files have that id in them, except for the poses that
 * the engine writes.
 */
const RENAMED = 'coalesce(was.ligand_id <> o.ligand_id, false)';
const NAMELESS = `(not ${RENAMED} or a.kind <> 'poses')`;
const OF_RESULT = `a.job_id = d.job_id and a.task_kind = 'task' and a.task_ordinal = d.ordinal and a.kind not in ('result', 'log') and ${NAMELESS}`;

/** Files that tell times or hosts are left out: the digest of a result leaves these out itself. */
const FINDINGS = `
  select s.kind, s.seed, coalesce(j.status, 'FAILED') as status, coalesce(j.task_total, 0) as ligands, count(o.id)::int as compared,
    case when j.id is null then jsonb_build_object('code', s.failure_code, 'message', s.failure_message, 'stage', 'submit')
      else ${FAILURE} end as failure,
    count(o.id) filter (where ${ALIKE})::int as alike,
    count(o.id) filter (where ${ALIKE} and (d.result_sha256 = o.result_sha256 or ${RENAMED} and exists (select from artifacts a where ${OF_RESULT}))
      and not exists (select from artifacts a where ${OF_RESULT} and not exists (select from artifacts b where b.job_id = o.job_id and b.task_kind = 'task' and b.task_ordinal = o.ordinal
          and b.name = a.name and b.sha256 = a.sha256)))::int as identical,
    count(o.id) filter (where abs(d.best_affinity_kcal_mol - o.best_affinity_kcal_mol) <= $2)::int as close
  from docking_samples s left join jobs j on j.id = s.job_id
    join docking_runs r on r.batch_id = s.batch_id and r.number = 1
    left join docking_results d on d.job_id = s.job_id
    left join docking_results o on o.job_id = r.job_id and o.ligand_id = d.ligand_id
    left join docking_results was on was.id = o.cached_from_result_id
  where s.batch_id = $1 group by s.batch_id, s.kind, j.id`;

/** Reads the findings of a batch's sample; each is null until its job has been admitted or refused. */
export async function reproducibilityOf(db: DataSource, batchId: string): Promise<DockingReproducibility> {
  const rows = await db.query<FindingRow[]>(FINDINGS, [batchId, CLOSE]);
  const finding = (kind: FindingRow['kind']): SampleFinding | null => {
    const row = rows.find((one) => one.kind === kind);
    return row === undefined ? null : presented(row);
  };
  return { same_seed: finding('same'), other_seed: finding('other') };
}

function presented({
  status,
  seed,
  ligands,
  compared,
  alike,
  identical,
  close,
  failure,
}: FindingRow): SampleFinding {
  const share = (count: number, of: number): number | null => (of === 0 ? null : count / of);
  return {
    status,
    seed,
    ligands,
    compared,
    same_cpu_class: alike,
    identical_share: share(identical, alike),
    within_share: share(close, compared),
    failure,
  };
}
