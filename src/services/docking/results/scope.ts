/**
 * Scope of results: those of a batch, which are the newest run's for each ligand, or those of one run. Everything else here reads
 * runs and batches through these two functions.
 */
import { validate as isUuid } from 'uuid';

import type { DockingRun } from '../../../../entities/docking-records.ts';
import type { Actor } from '../../../domain/access.ts';
import type { StudioLinks } from '../../../domain/docking-lists.ts';
import { AppError } from '../../../domain/errors.ts';
import { TERMINAL_SQL } from '../../job-state-sql.ts';
import type { Row } from '../../row.ts';
import type { Queryable } from '../../transaction.ts';

/** A run and its job. */
export interface ScopedRun {
  readonly runId: string;
  readonly jobId: string;
}

/** The runs whose ligands are meant, and where their labels are. */
export interface ResultScope {
  readonly kind: 'batch' | 'run';
  readonly id: string;
  readonly userId: string;
  readonly batchId: string | null;
  /** The newest first. */
  readonly runs: readonly ScopedRun[];
  readonly libraryId: string | null;
  /** Whether records of the library equal earlier ones, which are docked once and listed under each id. */
  readonly hasRepeated: boolean;
  /** The label of the only ligand, where there is no library. */
  readonly label: string | null;
  /** Whether every job has ended, so that nothing changes any more. */
  readonly final: boolean;
  readonly links: StudioLinks;
}

interface ScopeRow extends Row<DockingRun, 'userId' | 'batchId'> {
  readonly library_id: string | null;
  readonly has_repeated: boolean | null;
  readonly label: string | null;
  readonly runs: readonly ScopedRun[];
  readonly open: boolean;
}

const OPEN_JOB = `j.status not in ${TERMINAL_SQL}`;

const BATCH = `
  select b.user_id, b.id as batch_id, b.library_id, l.task_count < l.record_count as has_repeated, null as label,
    coalesce(runs.runs, '[]') as runs, coalesce(runs.open, true) as open
  from docking_batches b left join ligand_libraries l on l.id = b.library_id
    cross join lateral (select jsonb_agg(jsonb_build_object('runId', r.id, 'jobId', r.job_id) order by r.number desc) as runs,
      bool_or(${OPEN_JOB}) as open from docking_runs r join jobs j on j.id = r.job_id where r.batch_id = b.id) runs
  where b.id = $1 and b.account_id = $2`;

/** A docking job that was submitted by itself is found by its own id, as a run that has no record. */
const RUN = `
  select j.user_id, r.batch_id, b.library_id, l.task_count < l.record_count as has_repeated, e.ligand_identity ->> 'label' as label,
    jsonb_build_array(jsonb_build_object('runId', coalesce(r.id, j.id), 'jobId', j.id)) as runs, ${OPEN_JOB} as open
  from jobs j left join docking_runs r on r.job_id = j.id left join docking_batches b on b.id = r.batch_id
    left join docking_experiments e on e.id = r.experiment_id left join ligand_libraries l on l.id = b.library_id
  where j.id = coalesce((select job_id from docking_runs where id = $1),
      (select d.job_id from docking_results d where d.job_id = $1 and not exists (select from docking_runs where job_id = $1) limit 1))
    and j.account_id = $2`;

const SCOPES = { batch: BATCH, run: RUN };
const WORDS = {
  batch: { missing: 'There is no such batch in this account.', link: 'dockingBatch' },
  run: { missing: 'There is no such run in this account.', link: 'dockingRun' },
} as const;

/** The results of a batch or of a run. @throws NOT_FOUND. */
export async function scopeOfResults(
  db: Pick<Queryable, 'query'>,
  actor: Pick<Actor, 'accountId'>,
  kind: ResultScope['kind'],
  id: string,
): Promise<ResultScope> {
  const { missing, link } = WORDS[kind];
  const [row] = isUuid(id) ? await db.query<ScopeRow[]>(SCOPES[kind], [id, actor.accountId]) : [];
  if (row === undefined) throw new AppError('NOT_FOUND', missing);
  return {
    kind,
    id,
    userId: row.user_id,
    batchId: row.batch_id,
    runs: row.runs,
    libraryId: row.library_id,
    hasRepeated: row.has_repeated ?? false,
    label: row.label,
    final: !row.open,
    links: { studio: `/molecular/studio?${link}=${id}` },
  };
}
