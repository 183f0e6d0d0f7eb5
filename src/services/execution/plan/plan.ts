/**
 * The first activity of an execution: the task rows, and a digest for every input that nobody announced one for.
 * Also the two ways in which a job fails before any task ran.
 */
import type { DataSource } from 'typeorm';
import { TaskEntity } from '../../../../entities/tasks.ts';
import type { Task } from '../../../../entities/tasks.ts';
import type { JobPlan } from '../../../contracts/job.ts';
import { decodeClasses } from '../../../domain/price-classes.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import type { ToolRegistry } from '../../../tools/registry.ts';
import { announceJob } from '../../events/announce.ts';
import type { Row } from '../../row.ts';
import { inTransaction } from '../../transaction.ts';
import { loadJob } from '../../job-records/request.ts';
import { pinDigests, pinInputs, type PinDependencies, type PinResult } from './pin-inputs.ts';
import type { Recorders } from '../recorder.ts';

/** Planned, or the definite reason why the job cannot be run. */
export type PlanResult = PinResult;

const ROWS_PER_INSERT = 5000;

export interface PlanDependencies extends PinDependencies {
  readonly tools: ToolRegistry;
  readonly recorders: Recorders;
}

/** Execution to plan, and the plan of its admission. */
export interface PlanRequest {
  readonly jobId: string;
  readonly execution: number;
  readonly plan: JobPlan;
}

/** Thrown to roll back the rows of the tasks when the job has ended before its planning. */
class EndedMeanwhile extends Error {}

/** Writes task rows and pins inputs. @throws NoTurnError while the job's account has no turn at hashing one. */
export async function planTasks(
  deps: PlanDependencies,
  { jobId, execution, plan }: PlanRequest,
): Promise<PlanResult> {
  const { db, store, tools, recorders } = deps;
  if (await onlyWaits(db, jobId)) {
    const hashed = await pinDigests(deps, jobId);
    if (!hashed.ok) return hashed;
  }
  const job = await loadJob(db, store, jobId);
  if (!tools.ids().includes(job.toolId))
    throw invariantBroken(`the tool ${job.toolId} is not installed here`);
  const tool = tools.find(job.toolId);
  const recorder = recorders(job.toolId);
  const ids = tool.planning.itemIds(job.request, plan);
  const classes = plan.classes === undefined ? null : decodeClasses(plan.classes, ids.length);
  const isOpen = await inTransaction(db, async (tx) => {
    for (const kind of plan.steps) {
      await tx.query(
        `insert into tasks (job_id, kind, ordinal, item_id, execution) values ($1, $2, 0, $2, $3) on conflict do nothing`,
        [jobId, kind, execution],
      );
    }
    for (let from = 0; from < ids.length; from += ROWS_PER_INSERT) {
      await tx.query(
        `insert into tasks (job_id, kind, ordinal, item_id, execution, price_class)
         select $1, 'task', $2 + i - 1, id, $3, class
         from unnest($4::text[], $5::text[]) with ordinality as item (id, class, i) on conflict do nothing`,
        [
          jobId,
          from,
          execution,
          ids.slice(from, from + ROWS_PER_INSERT),
          classes?.slice(from, from + ROWS_PER_INSERT) ?? [],
        ],
      );
    }
    await recorder.planned(tx, jobId, ids);
    // A cancelled job ends without waiting for its planning, and an ended job must get no tasks. The job's row is locked
    // last, so that a cancel does not wait for the inserts.
    const open = await tx.query<unknown[]>(
      'select 1 from jobs where id = $1 and finished_at is null for share',
      [jobId],
    );
    if (open.length === 0) throw new EndedMeanwhile();
    return true;
  }).catch((error: unknown) => {
    if (error instanceof EndedMeanwhile) return false;
    throw error;
  });
  if (!isOpen) return { ok: true };
  // The rows of the tasks come before the pins, so that each task can fail with a code when an input is gone.
  return pinInputs(deps, job, tool.inputs.structures(job.request));
}

/** Whether an earlier attempt wrote the rows, so that asking for a turn again costs no reading of the request. */
async function onlyWaits(db: DataSource, jobId: string): Promise<boolean> {
  const rows = await db.query<unknown[]>(
    `select 1 from jobs j where j.id = $1 and j.finished_at is null
       and exists (select 1 from job_inputs i where i.job_id = j.id and i.sha256 is null)
       and exists (select 1 from tasks t where t.job_id = j.id)`,
    [jobId],
  );
  return rows.length > 0;
}

/** Why the preparation step failed for good, or null. */
export async function preparationFailure(
  db: DataSource,
  jobId: string,
): Promise<{ code: string; message: string } | null> {
  const step = await db
    .getRepository(TaskEntity)
    .findOneBy({ jobId, kind: 'prepare', ordinal: 0, state: 'FAILED' });
  if (step === null) return null;
  return {
    code: step.failureCode ?? 'INTERNAL_ERROR',
    message: step.failureMessage ?? 'The preparation failed.',
  };
}

/**
 * Fails every undecided task of the job with one code; what is verified stays. Once the execution is settled nothing is failed: the tasks
 * of a paused job wait for the next execution.
 */
export async function failTasks(
  db: DataSource,
  failure: { jobId: string; code: string; message: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const failed = await tx.query<Row<Task, 'kind'>[]>(
      `with failed as (update tasks set state = 'FAILED', failure_code = $2, failure_message = $3, finished_at = now()
         where job_id = $1 and state in ('PENDING', 'RUNNING') and not exists (select 1 from jobs j
           join job_executions e on e.job_id = j.id and e.n = j.execution where j.id = $1 and e.settled_at is not null)
         returning kind) select kind from failed`,
      [failure.jobId, failure.code, failure.message],
    );
    await tx.query(
      'update jobs set tasks_failed = tasks_failed + $2, version = version + 1, updated_at = now() where id = $1',
      [failure.jobId, failed.filter((row) => row.kind === 'task').length],
    );
  });
  void announceJob(db, failure.jobId);
}
