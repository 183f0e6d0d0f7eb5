/**
 * Hands tasks to an instance: in one statement the fence is checked and the tasks become RUNNING for its generation.
 * Idempotency key: (job, kind, ordinal, slot, generation). A second claim by the same generation changes nothing and
 * answers the same attempt, so a lost answer or a lost activity attempt starts no second run.
 */
import type { DataSource } from 'typeorm';

import type { ClaimRequest, ClaimResponse, InstanceClaims } from '../../contracts/compute.ts';
import { AppError } from '../../domain/errors.ts';
import { fenced, fenceOf, JOB_WANTS_WORK, rowsOf, UNFENCED } from './fence.ts';
import type { JobFacts } from './job-facts.ts';

interface ClaimedRow {
  readonly is_open: boolean;
  readonly execution: number;
  readonly tasks: readonly {
    readonly ordinal: number;
    readonly item_id: string;
    readonly attempts: number;
  }[];
}

// A task may be taken from another generation only when that one is fenced: the row lock (`for share`) makes a fence
// that is being set wait for this statement or this statement see it.
const CLAIM = `
  with fence as (
    select ${JOB_WANTS_WORK} as is_open, j.execution ${UNFENCED} for share of i
  ), claimed as (
    update tasks t set
      state = 'RUNNING',
      attempts = t.attempts + case when t.state = 'RUNNING' and t.slot = $2 and t.generation = $3 then 0 else 1 end,
      started_at = case when t.state = 'RUNNING' and t.slot = $2 and t.generation = $3 then t.started_at else now() end,
      slot = $2, generation = $3, execution = $4, progress_percent = 0, finished_at = null,
      failure_code = null, failure_message = null
    from fence
    where fence.is_open and fence.execution = $4 and t.job_id = $1 and t.kind = $5 and t.ordinal = any($6::int[])
      and (t.state = 'PENDING' or t.state = 'RUNNING' and (t.slot = $2 and t.generation = $3 or not exists (
        select 1 from instances o where o.job_id = t.job_id and o.slot = t.slot and o.generation = t.generation
          and o.fenced_at is null)))
    returning t.ordinal, t.item_id, t.attempts
  )
  select fence.is_open, fence.execution,
    coalesce((select json_agg(claimed order by claimed.ordinal) from claimed), '[]') as tasks
  from fence`;

/**
 * Marks tasks RUNNING and answers what they need. Tasks that are decided, and all tasks of a job that is being
 * cancelled, are left out.
 * @throws AppError FENCED; NOT_FOUND when the execution is not the job's present one.
 */
export async function claimTasks(
  database: DataSource,
  factsOf: (jobId: string) => Promise<JobFacts>,
  claims: InstanceClaims,
  request: ClaimRequest,
): Promise<ClaimResponse> {
  const facts = await factsOf(claims.jobId);
  const context = await facts.preparationContext(request.kind);
  const [row] = await rowsOf<ClaimedRow>(database, CLAIM, [
    ...fenceOf(claims),
    request.execution,
    request.kind,
    request.ordinals,
  ]);
  if (row === undefined) throw fenced();
  if (row.execution !== request.execution)
    throw new AppError('NOT_FOUND', 'The job has no such open execution.');
  const tasks = row.tasks.map(async ({ ordinal, item_id, attempts }) => ({
    ordinal,
    itemId: item_id,
    attempt: attempts,
    spec: facts.tool.taskSpec(facts.request, request.kind, ordinal, context),
    inputs: await facts.taskInputs(request.kind, ordinal),
  }));
  const ordinals = row.tasks.map(({ ordinal }) => ordinal);
  return {
    toolId: facts.tool.id,
    session: facts.session,
    limits: facts.limits,
    inputs: await facts.inputs(request.kind, ordinals),
    tasks: await Promise.all(tasks),
  };
}
