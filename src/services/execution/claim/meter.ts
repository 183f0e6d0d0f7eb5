/**
 * The meter of a measured task: when its tool started and ended, by the database's clock. An instance says which run of
 * the tool it means and never when, so the inputs that were staged before and the outputs that are staged afterwards are
 * not counted. A moment that is repeated keeps its first time. A run that was started anew in the same attempt counts from
 * its own start, and the claim of another attempt forgets the run, but for what a checkpoint has kept of it (`commit/checkpoint.ts`
 * books that). No instance can make a run longer than the limit of
 * its task, and the commit counts no more than the time since the claim.
 */
import type { DataSource } from 'typeorm';

import type { InstanceClaims, MeterRequest } from '../../../contracts/instance.ts';
import { rowsOf } from '../../transaction.ts';
import { fenced, fenceOf, UNFENCED } from '../fence.ts';
import type { FactsOf } from './job-facts.ts';
import { noSuchExecution } from './job-facts.ts';

const OF_ATTEMPT = `t.job_id = $1 and t.kind = 'task' and t.state = 'RUNNING' and t.slot = $2 and t.generation = $3
      and t.ordinal = $4 and t.attempts = $5`;

const STARTED = `
  with fence as (select 1 ${UNFENCED} for share of i),
  noted as (
    update tasks t set tool_run = $6, tool_started_at = clock_timestamp(), tool_ended_at = null from fence
    where ${OF_ATTEMPT} and t.tool_run is distinct from $6
  )
  select 1 from fence`;

const ENDED = `
  with fence as (select 1 ${UNFENCED} for share of i),
  noted as (
    update tasks t set tool_ended_at = least(clock_timestamp(), t.tool_started_at + make_interval(secs => $7)) from fence
    where ${OF_ATTEMPT} and t.tool_run = $6 and t.tool_ended_at is null
  )
  select 1 from fence`;

/** The database and the facts of jobs. */
export interface MeterDependencies {
  readonly db: DataSource;
  readonly factsOf: FactsOf;
}

/**
 * Notes that the tool of a task has started or ended. A moment for an attempt that is not the present one has no effect.
 * @throws AppError FENCED; NOT_FOUND when the execution is not the job's present one, or is not measured.
 */
export async function meterTask(
  { db, factsOf }: MeterDependencies,
  claims: InstanceClaims,
  { execution, ordinal, attempt, run, moment }: MeterRequest,
): Promise<void> {
  const { isMetered, limits } = await factsOf(claims.jobId, execution);
  if (!isMetered) throw noSuchExecution();
  const parameters = [...fenceOf(claims), ordinal, attempt, run];
  const found =
    moment === 'started'
      ? await rowsOf(db, STARTED, parameters)
      : await rowsOf(db, ENDED, [...parameters, limits.wallSeconds]);
  if (found.length === 0) throw fenced();
}
