/** Runs as they are answered: the row of the run with its job, read by one statement. */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import type { DockingRun } from '../../../entities/docking-records.ts';
import type { Job } from '../../../entities/jobs.ts';
import type { Actor } from '../../domain/access.ts';
import type { DockingRunFailure, Reuse } from '../../domain/docking-records.ts';
import { AppError } from '../../domain/errors.ts';
import { isTerminal } from '../../domain/job-state.ts';
import { CONTROL_MISSED } from '../../domain/required-control.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { StepSummaries } from '../../tools/shown.ts';
import { exactTime } from '../exact-time.ts';
import { STOP_RULE } from '../../domain/stop-rule.ts';
import { TERMINAL_SQL } from '../job-state-sql.ts';
import type { ExactTimes, Row } from '../row.ts';
import type { DockingBatchResponse, DockingRunResponse, JobStatusResponse } from '../../domain/answers.ts';

type DockingCounts = DockingBatchResponse['batch']['counts'];
type DockingRunRecord = DockingRunResponse['run'];

type DockingStatus = NonNullable<JobStatusResponse['docking']>;

/** A run with its job, as the statement answers it. */
export interface RunRow
  extends
    Row<
      DockingRun,
      'id' | 'userId' | 'experimentId' | 'batchId' | 'number' | 'jobId' | 'requestId' | 'seedRequested'
    >,
    StoppedRow,
    ExactTimes<DockingRun, 'createdAt'>,
    Row<Job, 'status' | 'toolId' | 'taskTotal' | 'tasksVerified' | 'tasksFailed' | 'effectiveSeed'>,
    ExactTimes<Job, 'startedAt' | 'finishedAt'> {
  readonly running: number;
  readonly best: number | null;
  readonly toolchain: string | null;
  readonly engine_version: string | null;
  readonly failure: DockingRunFailure | null;
  readonly steps: StepSummaries | null;
  readonly reuse: Reuse;
}

/** How many ligands a rule has left undone. */
export interface StoppedRow {
  readonly stopped: number;
}

/** SQL: how many tasks of a job the rule of its batch has left undone. */
export function stoppedTasks(job: string): string {
  return `case when ${job}.stopped_after is null then 0 else (select count(*)::int from tasks st
    where st.job_id = ${job}.id and st.kind = 'task' and st.state = 'CANCELLED' and st.failure_code = '${STOP_RULE}') end as stopped`;
}

/** How many tasks of the job `j` run; tasks of a job that has ended are not looked at. */
export const RUNNING_TASKS = `
  case when j.status in ${TERMINAL_SQL} then 0 else (
    select count(*)::int from tasks t where t.job_id = j.id and t.kind = 'task' and t.state = 'RUNNING') end`;

/** SQL: what has failed the job `j` as a whole. */
export const FAILURE = `
    (select jsonb_build_object('code', t.failure_code, 'message', t.failure_message,
        'stage', case when t.kind <> 'task' then t.kind when t.failure_code = '${CONTROL_MISSED}' then 'control' else 'dock' end) from tasks t
      where j.status = 'FAILED' and t.job_id = j.id and t.state = 'FAILED' order by t.kind = 'task', t.ordinal limit 1)`;

const RUNS = `
  select r.id, r.user_id, r.experiment_id, r.batch_id, r.number, r.job_id, r.request_id, r.seed_requested,
    coalesce((select b.reuse from docking_batches b where b.id = r.batch_id), r.reuse, 'verified') as reuse, ${stoppedTasks('j')},
    ${exactTime('r.created_at')} as created_at, j.status, j.tool_id, j.task_total, j.tasks_verified, j.tasks_failed, j.effective_seed,
    ${exactTime('j.started_at')} as started_at, ${exactTime('j.finished_at')} as finished_at, ${RUNNING_TASKS} as running,
    (select min(d.best_affinity_kcal_mol) from docking_results d where d.job_id = j.id) as best,
    code.toolchain_sha256 as toolchain, code.engine_version, ${FAILURE} as failure,
    (select jsonb_object_agg(s.kind, s.summary) from tasks s
      where s.job_id = j.id and s.kind in ('prepare', 'control') and s.state = 'SUCCEEDED') as steps
  from docking_runs r join jobs j on j.id = r.job_id
  left join lateral (select d.toolchain_sha256, d.engine_version from docking_results d
    where d.job_id = j.id and d.toolchain_sha256 is not null limit 1) code on true`;

const BY_ID = `${RUNS} where r.id = $1 and r.account_id = $2`;
const OF_EXPERIMENT = `${RUNS} where r.experiment_id = $1 and r.account_id = $2 and r.number < $3 order by r.number desc limit $4`;

/** A run of the account. @throws NOT_FOUND. */
export async function readRun(db: DataSource, actor: Actor, runId: string): Promise<RunRow> {
  const [row] = isUuid(runId) ? await db.query<RunRow[]>(BY_ID, [runId, actor.accountId]) : [];
  if (row === undefined) throw new AppError('NOT_FOUND', 'There is no such docking run in this account.');
  return row;
}

/** The runs of an experiment below a number, newest first. */
export async function readRunsOf(
  db: DataSource,
  actor: Actor,
  experimentId: string,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<readonly RunRow[]> {
  return db.query<RunRow[]>(OF_EXPERIMENT, [experimentId, actor.accountId, below, limit]);
}

/** A run as it is answered. */
export function presentRun(tools: ToolRegistry, row: RunRow): DockingRunRecord {
  const docking = dockingPartOf(tools, row.tool_id, row.steps);
  return {
    id: row.id,
    user_id: row.user_id,
    experiment_id: row.experiment_id,
    batch_id: row.batch_id,
    number: row.number,
    job_id: row.job_id,
    request_id: row.request_id,
    status: row.status,
    engine: {
      name: row.tool_id,
      version: row.engine_version,
      toolchain_sha256: row.toolchain,
      worker_image_digest: row.toolchain === null ? null : `sha256:${row.toolchain}`,
    },
    seed_requested: row.seed_requested,
    seed_effective: row.effective_seed,
    reuse: row.reuse,
    prepared_receptor:
      docking === null
        ? null
        : { cache_key: docking.receptor.cacheKey, heavy_atoms: docking.receptor.heavyAtoms },
    box: docking === null ? null : boxOf(docking),
    counts: countsOf(row),
    best_affinity_kcal_mol: row.best,
    failure: row.failure,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
  };
}

/** The box that took effect. */
export function boxOf({ box }: DockingStatus): { center: number[]; size: number[] } {
  return { center: [...box.centerAngstrom], size: [...box.sizeAngstrom] };
}

/** Reads box and receptor out of the summaries of a job's steps; null before, and for engines without a receptor. */
export function dockingPartOf(
  tools: ToolRegistry,
  toolId: string,
  steps: StepSummaries | null,
): DockingStatus | null {
  const part = tools.statusParts(toolId, steps ?? {})['docking'];
  return isDockingStatus(part) ? part : null;
}

/** Only the tool itself makes the part, so that its being there is enough. */
function isDockingStatus(part: unknown): part is DockingStatus {
  return typeof part === 'object' && part !== null && 'box' in part && 'receptor' in part;
}

/** The counts of one job; what a job that has ended has not decided is cancelled. */
export function countsOf(
  row: Pick<RunRow, 'status' | 'task_total' | 'tasks_verified' | 'tasks_failed' | 'running' | 'stopped'>,
): DockingCounts {
  const { task_total: total, tasks_verified: succeeded, tasks_failed: failed, stopped } = row;
  const open = Math.max(0, total - succeeded - failed - stopped);
  const running = Math.min(row.running, open);
  return isTerminal(row.status)
    ? { total, succeeded, failed, running: 0, pending: 0, cancelled: open + stopped }
    : { total, succeeded, failed, running, pending: open - running, cancelled: stopped };
}
