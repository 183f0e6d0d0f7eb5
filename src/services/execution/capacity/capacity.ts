/**
 * Capacity is granted by rows, not queues, and by event: when capacity is asked for, when capacity is given back, and by the
 * timer of one grantor. A request that waits is not looked at meanwhile. grants.ts says who is next.
 */
import type { DataSource } from 'typeorm';

import type { CapacityRequest as CapacityRequestRow } from '../../../../entities/capacity.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import type { Row } from '../../row.ts';
import { inTransaction } from '../../transaction.ts';
import { grantWaiting, lockCapacity, tryLockCapacity } from './grants.ts';
import type { CapacityOf, QueuePlace } from '../../job-records/queue-place.ts';
import { accountLimitOf, mostOf, PLAIN_CLASS, seatsFor } from '../../../domain/capacity-pools.ts';
import type { CapacityLimits } from '../../../domain/capacity-pools.ts';

/** An execution's request for capacity. */
export interface CapacityRequest extends CapacityOf {
  readonly accountId: string;
  /** A number above the limits is cut to the limits. */
  readonly vcpus: number;
  /** The vCPUs of one instance: one instance after the other is granted while there is room; null: all at once. */
  readonly stepVcpus?: number | null;
  /** The class of its instances, and the GPUs of one; absent: instances without GPUs, of the class that all have. */
  readonly instanceClass?: string;
  readonly stepGpus?: number;
  /** The software of which each instance takes a seat; absent: none. */
  readonly licence?: string;
  /** The plan of the account, whose limits hold; absent: the limits of any account. */
  readonly plan?: string | null;
  /** Higher is granted first. */
  readonly priority: number;
}

/** Whether capacity is granted, and why not. */
export interface CapacityAnswer {
  readonly granted: boolean;
  readonly reason: QueuePlace['reason'] | null;
  /** How many vCPUs are granted by now, fewer than were asked for where the limits are lower or more are still to come. */
  readonly vcpus: number;
}

/** The jobs that were granted capacity beside the one that asked or gave back; they are to be told. */
export interface NewlyGranted {
  readonly newlyGranted: readonly string[];
}

/** Grants that no workflow has taken note of for so long are told once more. */
const UNNOTICED_SECONDS = 5;
const TOLD_AT_ONCE = 100;

/** A request that is there already is changed only where it comes by steps and wants more than before, or was withdrawn for a while. */
const ASK = `
  insert into capacity_requests as c (job_id, execution, account_id, vcpus, priority, step_vcpus, class, step_gpus, plan, licence)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (job_id, execution) do update set
    vcpus = case c.state when 'GRANTED' then c.vcpus else excluded.vcpus end,
    wanted_vcpus = case c.state when 'GRANTED' then excluded.vcpus end,
    state = case c.state when 'RELEASED' then 'WAITING' else c.state end, released_at = null, may_ask_again = false
  where c.may_ask_again
    or (c.state <> 'RELEASED' and c.step_vcpus is not null and coalesce(c.wanted_vcpus, c.vcpus) < excluded.vcpus)
  returning 1`;

/**
 * Asks for capacity, and tells where this execution stands. Repeatable: a request that wants no more than before is only looked at.
 * @throws Invariant when the execution has given its capacity back: it is over and gets none again.
 */
export async function requestCapacity(
  db: DataSource,
  request: CapacityRequest,
  limits: CapacityLimits,
): Promise<CapacityAnswer & NewlyGranted> {
  const { jobId, execution, accountId, vcpus, priority, stepVcpus = null, plan = null } = request;
  const { instanceClass = PLAIN_CLASS, stepGpus = 0, licence = '' } = request;
  const changed = await db.query<unknown[]>(ASK, [
    jobId,
    execution,
    accountId,
    vcpus,
    priority,
    stepVcpus,
    instanceClass,
    stepGpus,
    plan,
    licence,
  ]);
  const newlyGranted = changed.length === 0 ? [] : (await grant(db, limits)).filter((job) => job !== jobId);
  return { ...(await standingOf(db, request, limits)), newlyGranted };
}

/**
 * Gives capacity back and grants it to other executions. A second call finds nothing to give back. A request for the same
 * execution that arrives afterwards, from an attempt that was given up, gets nothing: no one would give that capacity back.
 */
export async function releaseCapacity(
  db: DataSource,
  jobId: string,
  execution: number,
  limits: CapacityLimits,
): Promise<NewlyGranted> {
  await giveBack(db, jobId, execution);
  return { newlyGranted: await grant(db, limits) };
}

/** Notes that an execution gives its capacity back for good; the grantor grants it to others. A second call changes nothing. */
export async function giveBack(db: DataSource, jobId: string, execution: number): Promise<void> {
  await db.query(
    `insert into capacity_requests as c (job_id, execution, account_id, vcpus, priority, state, released_at)
     select id, $2, account_id, 1, 0, 'RELEASED', now() from jobs where id = $1
     on conflict (job_id, execution) do update set state = 'RELEASED', released_at = now(), may_ask_again = false
     where c.state <> 'RELEASED' or c.may_ask_again`,
    [jobId, execution],
  );
}

/**
 * Gives capacity back because the provider has no room, and grants it to other executions. The execution may ask again, and is
 * then as old as all the time in which it has waited, so that it comes up in the end however often there is no room. A second call
 * finds nothing to give back; one that comes late, when the job has an instance, gives back nothing.
 */
export async function withdrawCapacity(
  db: DataSource,
  { jobId, execution }: CapacityOf,
  limits: CapacityLimits,
): Promise<NewlyGranted> {
  await db.query(
    `update capacity_requests set state = 'RELEASED', released_at = now(), may_ask_again = true, reason = null,
       requested_at = requested_at + case state when 'GRANTED' then now() - coalesce(first_granted_at, granted_at) else '0' end,
       granted_at = null, first_granted_at = null, noticed_at = null, wanted_vcpus = null, reserved_at = null, reserved_for = null
     where job_id = $1 and execution = $2 and state <> 'RELEASED'
       and not exists (select 1 from instances where job_id = $1 and fenced_at is null)`,
    [jobId, execution],
  );
  return { newlyGranted: await grant(db, limits) };
}

/**
 * Gives a part of the capacity back, so that at most so many vCPUs stay granted and no more are wanted, and grants it to other
 * executions. A second call, or an earlier one that comes late, finds nothing to give back.
 */
export async function reduceCapacity(
  db: DataSource,
  { jobId, execution, vcpus }: CapacityOf & { readonly vcpus: number },
  limits: CapacityLimits,
): Promise<NewlyGranted> {
  await db.query(
    `update capacity_requests set vcpus = least(vcpus, $3), wanted_vcpus = least(wanted_vcpus, $3)
     where job_id = $1 and execution = $2 and state = 'GRANTED' and greatest(vcpus, wanted_vcpus) > $3`,
    [jobId, execution, vcpus],
  );
  return { newlyGranted: await grant(db, limits) };
}

/**
 * Grants what is due, as one of all processes that ask: what a process that died had asked for or given back, and what
 * higher limits allow. Answers the jobs to tell: also those that have not taken note of their grant for some seconds.
 */
export async function grantDue(db: DataSource, limits: CapacityLimits): Promise<NewlyGranted> {
  return inTransaction(db, async (tx) => {
    if (!(await tryLockCapacity(tx))) return { newlyGranted: [] };
    const granted = await grantWaiting(tx, limits);
    const unnoticed = await tx.query<Row<CapacityRequestRow, 'jobId'>[]>(
      `select job_id from capacity_requests where state = 'GRANTED' and noticed_at is null
         and granted_at < now() - make_interval(secs => $1) order by granted_at limit $2`,
      [UNNOTICED_SECONDS, TOLD_AT_ONCE],
    );
    return { newlyGranted: [...new Set([...granted, ...unnoticed].map((row) => row.job_id))] };
  });
}

async function grant(db: DataSource, limits: CapacityLimits): Promise<readonly string[]> {
  return inTransaction(db, async (tx) => {
    await lockCapacity(tx);
    return (await grantWaiting(tx, limits)).map((row) => row.job_id);
  });
}

/** Reads the answer to a request. The row keeps the reason for the status of the job, and that the workflow has seen its grant. */
async function standingOf(
  db: DataSource,
  request: CapacityRequest,
  limits: CapacityLimits,
): Promise<CapacityAnswer> {
  const { jobId, execution, accountId, plan = null, instanceClass = PLAIN_CLASS, licence = '' } = request;
  const of = { account_id: accountId, plan, class: instanceClass, licence };
  const own = accountLimitOf(of, limits);
  const [standing] = await db.query<Row<CapacityRequestRow, 'state' | 'vcpus' | 'reason'>[]>(
    `with own as (update capacity_requests c set noticed_at = case when state = 'GRANTED' then coalesce(noticed_at, now()) end,
       reason = case when state = 'WAITING' then (
         select case when least(c.vcpus, c.step_vcpus, $4::int) + coalesce(sum(g.vcpus), 0) > $3::int
             or (c.step_gpus > 0 and c.step_gpus + coalesce(sum(g.gpus), 0) > $5::int) then 'ACCOUNT_LIMIT'
           when c.licence <> '' and $6::int <= (select coalesce(sum(s.seats), 0) from capacity_requests s
             where s.licence = c.licence and s.state = 'GRANTED') then 'LICENSE_SEATS' else 'CAPACITY' end
         from capacity_requests g where g.account_id = c.account_id and g.state = 'GRANTED') end
     where job_id = $1 and execution = $2 and state <> 'RELEASED' returning state, vcpus, reason)
     select * from own`,
    [
      jobId,
      execution,
      ...[own.vcpus, mostOf(of, limits).vcpus, own.gpus, seatsFor(of, limits)].map(asInteger),
    ],
  );
  if (standing === undefined)
    throw invariantBroken(`capacity of ${jobId}/${String(execution)} was given back already`);
  if (standing.state === 'GRANTED') return { granted: true, reason: null, vcpus: standing.vcpus };
  const { reason } = standing;
  const isOther = reason === 'ACCOUNT_LIMIT' || reason === 'LICENSE_SEATS';
  return { granted: false, reason: isOther ? reason : 'CAPACITY', vcpus: 0 };
}

/** A limit for the database, whose integers end before infinity. */
function asInteger(limit: number): number {
  return Math.min(limit, 2_147_483_647);
}
