/**
 * Batches as they are answered. The state is that of the newest run's job. A batch of one run has the counts of its job. Of a batch
 * whose failed ligands were docked again each ligand counts as its newest run has it, so the tasks are counted by ligand.
 */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import type { DockingBatch, DockingRun } from '../../../entities/docking-records.ts';
import type { Job } from '../../../entities/jobs.ts';
import type { Actor } from '../../domain/access.ts';
import type { DockingParameters, DockingRunFailure } from '../../domain/docking-records.ts';
import { AppError } from '../../domain/errors.ts';
import { isTerminal, outcomeOf } from '../../domain/job-state.ts';
import type { JobState } from '../../domain/job-state.ts';
import type { LigandPreparation } from '../../domain/requests.ts';
import type { StopWhen } from '../../domain/stop-rule.ts';
import { exactTime } from '../exact-time.ts';
import type { Documents, ExactTimes, Row } from '../row.ts';
import { lossWarnings } from '../../tools/ligand-library/losses.ts';
import type { LibraryLosses } from '../../tools/ligand-library/losses.ts';
import type { StepSummaries } from '../../tools/shown.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import { boxOf, countsOf, dockingPartOf, FAILURE, RUNNING_TASKS, stoppedTasks } from './read-runs.ts';
import type { StoppedRow } from './read-runs.ts';
import type { DockingBatchResponse } from '../../domain/answers.ts';

type DockingBatchRecord = DockingBatchResponse['batch'];
type DockingCounts = DockingBatchResponse['batch']['counts'];
type DockingStop = NonNullable<DockingBatchResponse['batch']['stopped_at']>;

/** A batch with its newest run, as the statement answers it. */
export interface BatchRow
  extends
    Row<
      DockingBatch,
      | 'id'
      | 'userId'
      | 'name'
      | 'engine'
      | 'receptorArtifactId'
      | 'libraryId'
      | 'librarySha256'
      | 'ligandCount'
      | 'shardSize'
      | 'reuse'
      | 'dryRun'
      | 'sample'
    >,
    Documents<
      DockingBatch,
      {
        receptorIdentity: object | null;
        parameters: DockingParameters | null;
        stopWhen: StopWhen | null;
        ligandPreparation: LigandPreparation | null;
      }
    >,
    StoppedRow,
    ExactTimes<DockingBatch, 'createdAt'>,
    Row<DockingRun, 'number' | 'jobId'>,
    Row<Job, 'status' | 'taskTotal' | 'tasksVerified' | 'tasksFailed'>,
    ExactTimes<Job, 'startedAt' | 'finishedAt'> {
  readonly run_id: string;
  readonly running: number;
  readonly best: number | null;
  /** The counts by ligand, and how many of the cancelled ones were never decided; null for a batch of one run. */
  readonly by_ligand: (Omit<DockingCounts, 'total'> & { readonly undone: number }) | null;
  /** The number of ligands that are docked, which is that of the first job's tasks. */
  readonly total: number;
  readonly steps: StepSummaries | null;
  readonly stopped_at: DockingStop | null;
  readonly failure: DockingRunFailure | null;
  readonly library_losses: LibraryLosses | null;
}

const count = (state: string): string => `count(*) filter (where t.state = '${state}')`;

/** The newest task of each ligand of the batch `b`. */
const BY_LIGAND = `
  select jsonb_build_object('succeeded', ${count('SUCCEEDED')}, 'failed', ${count('FAILED')}, 'running', ${count('RUNNING')},
    'pending', ${count('PENDING')}, 'cancelled', ${count('CANCELLED')},
    'undone', count(*) filter (where t.state = 'CANCELLED' and o.number = 1))
  from docking_runs o join tasks t on t.job_id = o.job_id and t.kind = 'task' and not t.superseded where o.batch_id = b.id`;

const BATCHES = `
  select b.id, b.user_id, b.name, b.engine, b.receptor_artifact_id, b.receptor_identity, b.parameters, b.library_id, b.library_sha256,
    b.ligand_count, b.shard_size, b.reuse, b.dry_run, b.stop_when, b.sample, b.ligand_preparation, ${stoppedTasks('f')},
    (select jsonb_build_object('ligand_id', st.item_id, 'place', f.stopped_after) from tasks st
      where st.job_id = f.id and st.kind = 'task' and st.ordinal = f.stopped_after - 1) as stopped_at,
    (select l.losses from ligand_libraries l where l.id = b.library_id) as library_losses, ${exactTime('b.created_at')} as created_at,
    r.id as run_id, r.number, r.job_id, j.status, j.task_total, j.tasks_verified, j.tasks_failed, ${RUNNING_TASKS} as running,
    ${exactTime('f.started_at')} as started_at, ${exactTime('j.finished_at')} as finished_at, f.task_total as total,
    case when r.number > 1 then (${BY_LIGAND}) end as by_ligand, ${FAILURE} as failure,
    (select min(of_run.best) from docking_runs o cross join lateral (
      select min(d.best_affinity_kcal_mol) as best from docking_results d where d.job_id = o.job_id) of_run where o.batch_id = b.id) as best,
    (select jsonb_object_agg(s.kind, s.summary) from tasks s
      where s.job_id = f.id and s.kind = 'prepare' and s.state = 'SUCCEEDED') as steps
  from docking_batches b
  cross join lateral (select * from docking_runs n where n.batch_id = b.id order by n.number desc limit 1) r
  join jobs j on j.id = r.job_id
  join docking_runs fr on fr.batch_id = b.id and fr.number = 1 join jobs f on f.id = fr.job_id`;

const BY_ID = `${BATCHES} where b.id = $1 and b.account_id = $2`;

function listFrom(place: string): string {
  return `${BATCHES} where b.account_id = $1 and ($2::text is null or starts_with(b.name, $2)) ${place}
    order by b.created_at desc, b.id desc limit $3`;
}

const LIST_FROM_START = listFrom('');
const LIST_FROM_CURSOR = listFrom('and (b.created_at, b.id) < ($4::timestamptz, $5::uuid)');

/** The first run of a batch and its newest one, for a repetition. */
export interface BatchRuns {
  readonly first_job_id: string;
  readonly number: number;
  readonly status: JobState;
  readonly newest_created_at: string;
  readonly name: string;
}

const RUNS_OF = `
  select first.job_id as first_job_id, newest.number, j.status, ${exactTime('newest.created_at')} as newest_created_at, b.name
  from docking_batches b join docking_runs first on first.batch_id = b.id and first.number = 1
  cross join lateral (select * from docking_runs n where n.batch_id = b.id order by n.number desc limit 1) newest
  join jobs j on j.id = newest.job_id
  where b.id = $1 and b.account_id = $2`;

/** A batch of the account. @throws NOT_FOUND. */
export async function readBatch(db: DataSource, actor: Actor, batchId: string): Promise<BatchRow> {
  const [row] = isUuid(batchId) ? await db.query<BatchRow[]>(BY_ID, [batchId, actor.accountId]) : [];
  if (row === undefined) throw batchNotFound();
  return row;
}

/** The runs of a batch of the account. @throws NOT_FOUND. */
export async function readBatchRuns(db: DataSource, actor: Actor, batchId: string): Promise<BatchRuns> {
  const [row] = isUuid(batchId) ? await db.query<BatchRuns[]>(RUNS_OF, [batchId, actor.accountId]) : [];
  if (row === undefined) throw batchNotFound();
  return row;
}

/** A page of the account's batches after a place, newest first. */
export async function readBatches(
  db: DataSource,
  actor: Actor,
  { name, limit, place }: { name: string | null; limit: number; place: readonly [string, string] | null },
): Promise<readonly BatchRow[]> {
  const parameters = [actor.accountId, name, limit];
  return place === null
    ? db.query<BatchRow[]>(LIST_FROM_START, parameters)
    : db.query<BatchRow[]>(LIST_FROM_CURSOR, [...parameters, ...place]);
}

/** A batch as it is answered. */
export function presentBatch(tools: ToolRegistry, row: BatchRow): DockingBatchRecord {
  const counts = countsOfBatch(row);
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    engine: row.engine,
    job_id: row.job_id,
    run_id: row.run_id,
    runs: row.number,
    status: statusOf(row, counts),
    receptor_artifact_id: row.receptor_artifact_id,
    receptor_identity: row.receptor_identity,
    parameters: withBox(tools, row.engine, row),
    library_id: row.library_id,
    library_sha256: row.library_sha256,
    ligand_count: row.ligand_count,
    shard_size: row.shard_size,
    reuse: row.reuse,
    dry_run: row.dry_run,
    stop_when: row.stop_when,
    stopped_at: row.stopped_at,
    sample: row.sample,
    ligand_preparation: row.ligand_preparation,
    warnings: row.library_losses === null ? [] : [...lossWarnings(row.library_losses)],
    counts,
    best_affinity_kcal_mol: row.best,
    failure: row.failure,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
  };
}

/** The parameters with the box that took effect; centre and size of a box that is not known yet are null. */
export function withBox(
  tools: ToolRegistry,
  toolId: string,
  { parameters, steps }: { parameters: DockingParameters | null; steps: StepSummaries | null },
): object | null {
  if (parameters === null) return null;
  const { box } = parameters;
  if (box.derivation.kind === 'explicit') return parameters;
  const docking = dockingPartOf(tools, toolId, steps);
  const known = docking === null ? { center: null, size: box.size ?? null } : boxOf(docking);
  return { ...parameters, box: { ...known, derivation: box.derivation } };
}

/**
 * After a repetition the end follows from the counts of all ligands: the last job knows its own ligands only. A repetition that was
 * cancelled leaves ligands that have failed before, so only what the first run has left undone makes the batch a cancelled one.
 */
function statusOf(row: BatchRow, { total, succeeded }: DockingCounts): JobState {
  if (row.by_ligand === null || !isTerminal(row.status)) return row.status;
  // Ligands that a rule has left undone were not to be docked.
  return row.by_ligand.undone > row.stopped ? 'CANCELLED' : outcomeOf(succeeded, total - row.stopped);
}

function countsOfBatch(row: BatchRow): DockingCounts {
  if (row.by_ligand === null) return countsOf(row);
  const { undone: _part, ...counts } = row.by_ligand;
  return { total: row.total, ...counts };
}

function batchNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such docking batch in this account.');
}
