/**
 * Hands tasks to an instance: in one statement the fence is checked and the tasks become RUNNING for its generation.
 * Idempotency key: (job, kind, ordinal, slot, generation). A second claim by the same generation changes nothing and
 * answers the same attempt, so a lost answer or a lost activity attempt starts no second run. Where the hold must cover a task
 * before its dispatch, a task that is not covered is not handed out, whoever asks for it.
 */
import type { DataSource } from 'typeorm';

import type { Job } from '../../../../entities/jobs.ts';
import type { Task } from '../../../../entities/tasks.ts';
import { CALL_ITEMS } from '../../../contracts/instance.ts';
import type {
  ClaimedTask,
  ClaimRequest,
  ClaimResponse,
  InstanceClaims,
  StagedInput,
  TaskLimits,
} from '../../../contracts/instance.ts';
import type { WorkKind } from '../../../contracts/job.ts';
import { announceJob } from '../../events/announce.ts';
import type { Row } from '../../row.ts';
import { rowsOf } from '../../transaction.ts';
import { fenced, fenceOf, JOB_WANTS_WORK, UNFENCED } from '../fence.ts';
import type { KeptFile } from './job-files.ts';
import { noSuchExecution } from './job-facts.ts';
import type { FactsOf, JobFacts } from './job-facts.ts';
import { failByToolFault, ToolFault } from './tool-fault.ts';
import type { FaultScope, ToolFaultReport } from './tool-fault.ts';

interface ClaimedRow extends Row<Job, 'execution' | 'toolId'> {
  readonly is_open: boolean;
  readonly tasks: readonly (Row<Task, 'ordinal' | 'itemId' | 'attempts'> & {
    readonly checkpoint: readonly KeptFile[] | null;
    /** The milliseconds of work that are covered beyond what is kept; null where nothing is measured. */
    readonly left_ms: number | null;
  })[];
}

// Work has gone on after a loss when a task runs again that the loss has set back, or the slot has a task where none was set
// back; after a pause or a resume, when any task runs. The statement sees the tasks as they were before the claim. Entries that
// another claim is writing are skipped, so that no claim waits for another.
const WORK_WENT_ON = `
    update recoveries set went_on_at = clock_timestamp() where id in (
      select r.id from recoveries r where r.job_id = $1 and r.went_on_at is null and exists (select from claimed)
        and case when r.kind <> 'LOSS' then true when r.tasks_requeued = 0 then r.slot = $2
          else exists (select from claimed c join tasks t on t.job_id = $1 and t.kind = $5 and t.ordinal = c.ordinal
            where t.slot = r.slot and t.generation = r.generation) end
      for update skip locked)
    returning job_id, kind, cause, tasks_kept, extract(epoch from went_on_at - created_at)::float8 as seconds`;
const RECOVERED = `
    insert into events (account_id, kind, subject, payload)
    select j.account_id, 'job.recovered', j.id,
      jsonb_build_object('cause', w.cause, 'tasksKept', w.tasks_kept, 'seconds', round(w.seconds::numeric, 3))
    from went_on w join jobs j on j.id = w.job_id where w.kind = 'LOSS' and not j.internal`;

// A task may be taken from another generation only when that one is fenced: the row lock (`for share`) makes a fence
// that is being set wait for this statement or this statement see it.
const CLAIM = `
  with fence as (
    select ${JOB_WANTS_WORK} as is_open, j.execution, j.tool_id,
      (select e.covers_dispatch from job_executions e where e.job_id = j.id and e.n = j.execution) as is_covered
    ${UNFENCED} for share of i
  ), claimed as (
    update tasks t set
      state = 'RUNNING',
      attempts = t.attempts + case when t.state = 'RUNNING' and t.slot = $2 and t.generation = $3 then 0 else 1 end,
      started_at = case when t.state = 'RUNNING' and t.slot = $2 and t.generation = $3 then t.started_at else now() end,
      progress_percent = case when t.state = 'RUNNING' and t.slot = $2 and t.generation = $3 then t.progress_percent else 0 end,
      tool_run = case when t.state = 'RUNNING' and t.slot = $2 and t.generation = $3 then t.tool_run end,
      slot = $2, generation = $3, execution = $4, finished_at = null, metered_ms = null,
      failure_code = null, failure_message = null
    from fence
    where fence.is_open and fence.execution = $4 and t.job_id = $1 and t.kind = $5 and t.ordinal = any($6::int[])
      and (t.kind <> 'task' or t.covered_in = $4 or fence.is_covered is not true)
      and (t.state = 'PENDING' or t.state = 'RUNNING' and (t.slot = $2 and t.generation = $3 or not exists (
        select 1 from instances o where o.job_id = t.job_id and o.slot = t.slot and o.generation = t.generation
          and o.fenced_at is null)))
    returning t.ordinal, t.item_id, t.attempts, t.checkpoint, t.covered_ms - greatest(0, t.kept_ms - t.paid_ms) as left_ms
  ), went_on as (${WORK_WENT_ON}), recovered as (${RECOVERED})
  select fence.is_open, fence.execution, fence.tool_id,
    coalesce((select json_agg(claimed order by claimed.ordinal) from claimed), '[]') as tasks
  from fence`;

/** Makes the attempt $4 of a task begin again; the key of the task is $1 to $3. */
const BEGIN_AGAIN = `
  update tasks set checkpoint = null, checkpoint_at = null, kept_ms = 0
  where job_id = $1 and kind = $2 and ordinal = $3 and attempts = $4 and state = 'RUNNING'`;

/** The database, the facts of jobs, and whom a tool's fault is reported to. */
export interface ClaimDependencies {
  readonly db: DataSource;
  readonly factsOf: FactsOf;
  /** Called when a tool threw, so that tasks failed for good. */
  readonly onToolFault?: (fault: ToolFaultReport) => void;
}

/** The limits of an answer that hands out no task. */
const NO_LIMITS: TaskLimits = { wallSeconds: 0, memoryBytes: 0, diskBytes: 0, logBytes: 0 };

/**
 * Marks tasks RUNNING and answers what they need. Tasks that are decided, and all tasks of a job that is being
 * cancelled, are left out; so is a task on which the tool throws, which fails for good, and with it every task of a
 * job for whose session the tool throws.
 * @throws AppError FENCED; NOT_FOUND when the execution is not the job's present one.
 */
export async function claimTasks(
  deps: ClaimDependencies,
  claims: InstanceClaims,
  request: ClaimRequest,
): Promise<ClaimResponse> {
  const [row] = await rowsOf<ClaimedRow>(deps.db, CLAIM, [
    ...fenceOf(claims),
    request.execution,
    request.kind,
    request.ordinals,
  ]);
  if (row === undefined) throw fenced();
  if (row.execution !== request.execution) throw noSuchExecution();
  const nothing = { toolId: row.tool_id, session: {}, limits: NO_LIMITS, inputs: [], tasks: [] };
  if (row.tasks.length === 0) return nothing;
  void announceJob(deps.db, claims.jobId);
  const fail = async (error: ToolFault, scope: FaultScope): Promise<void> => {
    const given = await failByToolFault(deps.db, claims, scope);
    deps.onToolFault?.({ jobId: claims.jobId, toolId: row.tool_id, error, given });
  };
  try {
    const facts = await deps.factsOf(claims.jobId, request.execution);
    const beginAgain = async (ordinal: number, attempt: number): Promise<void> => {
      await rowsOf(deps.db, BEGIN_AGAIN, [claims.jobId, request.kind, ordinal, attempt]);
    };
    return await handOut(facts, request.kind, row.tasks, { fail, beginAgain });
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    await fail(error, null);
    return nothing;
  }
}

interface Ends {
  readonly fail: (error: ToolFault, scope: FaultScope) => Promise<void>;
  /** Forgets a checkpoint that the store has not any more, with the work that it was to save. */
  readonly beginAgain: (ordinal: number, attempt: number) => Promise<void>;
}

/** For how long a task that keeps checkpoints runs on: no longer than the hold covers it, and within the time limit of a leg. */
function legOf(
  { tool, legSeconds, limits }: JobFacts,
  leftMs: number | null,
): Pick<ClaimedTask, 'legSeconds'> {
  if (tool.work.checkpoint === null) return {};
  return { legSeconds: Math.max(0, Math.min(legSeconds, limits.wallSeconds, (leftMs ?? Infinity) / 1000)) };
}

/** The specifications of the claimed tasks. A task on which the tool throws is left out and fails alone. */
async function handOut(
  facts: JobFacts,
  kind: WorkKind,
  claimed: ClaimedRow['tasks'],
  { fail, beginAgain }: Ends,
): Promise<ClaimResponse> {
  const context = await facts.context(kind);
  const tasks: ClaimedTask[] = [];
  const kept: StagedInput[] = [];
  for (const { ordinal, item_id, attempts, checkpoint, left_ms } of claimed) {
    try {
      const spec = facts.tool.work.taskSpec(facts.request, kind, ordinal, context);
      const inputs = await facts.taskInputs(kind, ordinal, context);
      const files = checkpoint === null ? [] : await facts.kept({ kind, ordinal }, checkpoint);
      if (checkpoint !== null && files.length === 0) await beginAgain(ordinal, attempts);
      kept.push(...files.map(({ input }) => input));
      const reads = [...inputs, ...files.map(({ input, as }) => ({ from: input.name, as }))];
      const leg = kind === 'task' ? legOf(facts, left_ms) : {};
      tasks.push({ ordinal, itemId: item_id, attempt: attempts, spec, inputs: reads, ...leg });
    } catch (error) {
      if (!(error instanceof ToolFault)) throw error;
      await fail(error, { kind, ordinals: [ordinal] });
    }
  }
  const names = new Set(tasks.flatMap((task) => task.inputs.map(({ from }) => from)));
  for (const { name } of kept) names.delete(name);
  const inputs = [...(await facts.inputs(kind, [...names], CALL_ITEMS)), ...kept];
  const { session, limits } = facts;
  const variant = facts.tool.request.variant?.of(facts.request) ?? null;
  const answer = { toolId: facts.tool.about.id, session, limits, inputs, tasks };
  const named = variant === null ? answer : { ...answer, variant };
  // Steps are never charged, so only tasks are measured.
  return facts.isMetered && kind === 'task' ? { ...named, metered: true } : named;
}
