/**
 * The settlement charges verified tasks and releases the rest of the hold, in the one transaction that also ends the
 * execution. Settling a settled execution answers the same result and changes nothing.
 *
 * A request to cancel is honoured until the settlement: the request is noted in the job's row, and the settlement reads
 * the request under the row's lock. So a customer who was told that the job is being cancelled finds the job cancelled,
 * also when the workflow had decided on another end already.
 */
import type { DataSource } from 'typeorm';
import type { Job, JobExecution } from '../../../../entities/jobs.ts';
import { invariantBroken } from '../../../domain/invariant.ts';
import { endOf, isTerminal, mayEnd, TERMINAL_STATES } from '../../../domain/job-state.ts';
import type { PauseReason, ExecutionEnd } from '../../../domain/job-state.ts';
import { dueCredits, dueLines, totalMicro } from '../../../domain/charge.ts';
import { STOP_RULE } from '../../../domain/stop-rule.ts';
import type { Quote, VerifiedTasks } from '../../../domain/pricing.ts';
import { verifiedTasks, type VerifiedColumn } from '../../prices/verified.ts';
import { announceJob } from '../../events/announce.ts';
import { statusChange, writeJobStatus } from '../../events/job-status.ts';
import type { Documents, Row } from '../../row.ts';
import { settleHold } from '../../ledger/holds.ts';
import { inTransaction, type Tx } from '../../transaction.ts';
import { recordPause } from '../../job-records/recoveries.ts';

/** Cost of an execution, and the job's counts over all executions. */
export interface Settlement {
  readonly chargedPence: number;
  readonly releasedPence: number;
  readonly verified: number;
  readonly failed: number;
  /** End of the execution. */
  readonly to: Ending['to'];
}

/** End of an execution. */
export interface Ending {
  readonly jobId: string;
  readonly execution: number;
  /** Counts the job's changes of state; late attempts of earlier ones then have no effect. */
  readonly transition: number;
  readonly to: ExecutionEnd;
  readonly reason: string | null;
  readonly pauseReason: PauseReason | null;
  /** Whether the service is at fault beyond what the reason says. */
  readonly faultIsOurs?: boolean;
}

/** Verified, failed and all tasks, over all executions; what a rule has left undone was not to be done. */
export interface TaskCounts {
  readonly verified: number;
  readonly failed: number;
  readonly total: number;
  /** Whether the job has a merge that did not succeed. */
  readonly mergeMissing: boolean;
}

/** Counts the tasks of a job. */
export async function taskCounts(db: DataSource | Tx, jobId: string): Promise<TaskCounts> {
  const [row] = await db.query<TaskCounts[]>(
    `select count(*) filter (where t.state = 'SUCCEEDED')::int as verified,
            count(*) filter (where t.state = 'FAILED')::int as failed,
            (j.task_total - count(*) filter (where t.state = 'CANCELLED' and t.failure_code = '${STOP_RULE}'))::int as total,
            exists (select from tasks m where m.job_id = j.id and m.kind = 'merge' and m.state <> 'SUCCEEDED') as "mergeMissing"
     from jobs j left join tasks t on t.job_id = j.id and t.kind = 'task' where j.id = $1 group by j.id`,
    [jobId],
  );
  if (row === undefined) throw invariantBroken(`job ${jobId} does not exist`);
  return row;
}

interface JobRow extends Row<Job, 'status' | 'execution'> {
  readonly cancel_requested: boolean;
}

type ExecutionRow = Row<JobExecution, 'holdId' | 'settledAt' | 'outcome'> &
  Documents<JobExecution, { quote: Quote }>;

/** Settles an execution and ends it, at PAUSED or a terminal state: at CANCELLED when that was asked for in time. */
export async function settleJob(db: DataSource, ending: Ending): Promise<Settlement> {
  const settlement = await settleRows(db, ending);
  await announceJob(db, ending.jobId);
  return settlement;
}

async function settleRows(db: DataSource, ending: Ending): Promise<Settlement> {
  return inTransaction(db, async (tx) => {
    // Not `for update`: planning may be inserting rows that refer to the job, and `for update` would make the two wait.
    const [job] = await tx.query<JobRow[]>(
      'select status, execution, cancel_requested_at is not null as cancel_requested from jobs where id = $1 for no key update',
      [ending.jobId],
    );
    const [execution] = await tx.query<ExecutionRow[]>(
      'select hold_id, quote, settled_at, outcome from job_executions where job_id = $1 and n = $2 for update',
      [ending.jobId, ending.execution],
    );
    if (job === undefined || execution === undefined)
      throw invariantBroken(`job ${ending.jobId} has no execution ${String(ending.execution)}`);
    const isSettled = execution.settled_at !== null;
    // The job was resumed since: the end of this execution is known, and the next one has the tasks and the state.
    if (job.execution > ending.execution && isSettled) return answerOf(tx, ending, execution);
    const isOver = isSettled && isTerminal(job.status);
    const end = { ...ending, to: isOver ? job.status : endOf(ending, job.cancel_requested) };
    if (!mayEnd(job.status, end.to))
      throw invariantBroken(`job ${end.jobId} cannot end ${end.to} from ${job.status}`);
    const charge = isSettled ? NO_CHARGE : await chargeOf(tx, end, execution.quote);
    // The ledger answers for a settled hold what it charged then, whatever charge is asked for now.
    const settled = await settleHold(tx, {
      holdId: execution.hold_id,
      chargePence: charge.pence,
      faultIsOurs: isFaultOfService(end),
    });
    if (end.to === 'PAUSED' && !isSettled) await recordPause(tx, end);
    // The job has ended already, so this late attempt leaves tasks and counts as they are.
    if (!isOver) await endTasks(tx, end);
    const counts = await taskCounts(tx, end.jobId);
    if (!isOver) await endRows(tx, end, { counts, charge: isSettled ? null : charge });
    return { ...settled, verified: counts.verified, failed: counts.failed, to: end.to };
  });
}

/** Whether the customer had no part in the end: the service failed, or waits for an operator, as when no instance starts. */
function isFaultOfService({ to, reason, pauseReason, faultIsOurs = false }: Ending): boolean {
  return faultIsOurs || reason === 'INTERNAL_ERROR' || (to === 'PAUSED' && pauseReason === 'OPERATOR');
}

/** Charge of an execution, and the tasks that it is for: those that are verified and that no earlier execution has charged. */
interface Charge {
  readonly pence: number;
  readonly verified: readonly VerifiedTasks[];
  readonly micro: bigint;
}

const NO_CHARGE: Charge = { pence: 0, verified: [], micro: 0n };

async function chargeOf(tx: Tx, ending: Ending, offer: Quote): Promise<Charge> {
  const [row] = await tx.query<
    (VerifiedColumn & { readonly charged_before: boolean; readonly extended: number })[]
  >(
    `select ${verifiedTasks('t.job_id = $1 and t.execution = $2', '$3::boolean')} as verified,
       exists (select 1 from holds where job_id = $1 and execution < $2 and charged_pence > 0) as charged_before,
       (select extended_pence from holds where job_id = $1 and execution = $2) as extended`,
    [ending.jobId, ending.execution, ending.to === 'PAUSED'],
  );
  const verified = row?.verified ?? [];
  const lines = dueLines(offer, verified, row?.charged_before !== true, row?.extended ?? 0);
  return { pence: dueCredits(offer, lines).duePence, verified, micro: totalMicro(lines) };
}

/** The answer for a settled execution of a job that was resumed. */
async function answerOf(
  tx: Tx,
  { jobId }: Ending,
  { hold_id: holdId, outcome }: ExecutionRow,
): Promise<Settlement> {
  const settled = await settleHold(tx, { holdId, chargePence: 0 });
  const { verified, failed } = await taskCounts(tx, jobId);
  return { ...settled, verified, failed, to: endIn(outcome) };
}

function endIn(outcome: string | null): Ending['to'] {
  const ends = [...TERMINAL_STATES, 'PAUSED'] as const;
  const end = ends.find((state) => state === outcome);
  if (end === undefined) throw invariantBroken(`an execution is settled as ${String(outcome)}`);
  return end;
}

/** Cancels undecided tasks when the job ends; a pause, which has charged what they have kept, sets running tasks back to PENDING. */
async function endTasks(tx: Tx, ending: Ending): Promise<void> {
  const state = ending.to === 'PAUSED' ? 'PENDING' : 'CANCELLED';
  await tx.query(
    `update tasks set state = $2, paid_ms = case when $2 = 'PENDING' then greatest(paid_ms, kept_ms) else paid_ms end, progress_percent = 0, finished_at = case when $2 = 'CANCELLED' then now() end
     where job_id = $1 and state in ('PENDING', 'RUNNING')`,
    [ending.jobId, state],
  );
}

async function endRows(
  tx: Tx,
  ending: Ending,
  { counts, charge }: { readonly counts: TaskCounts; readonly charge: Charge | null },
): Promise<void> {
  await tx.query(
    `update job_executions set settled_at = coalesce(settled_at, now()), outcome = $3, charged = coalesce(charged, $4::jsonb),
       charged_micro = coalesce(charged_micro, $5::bigint),
       receipt_due = receipt_due or settled_at is null and exists (select from jobs j where j.id = $1 and not j.internal)
     where job_id = $1 and n = $2`,
    [
      ending.jobId,
      ending.execution,
      ending.to,
      ...(charge === null ? [null, null] : [JSON.stringify(charge.verified), charge.micro.toString()]),
    ],
  );
  await writeJobStatus(tx, END, [
    ending.jobId,
    ending.to,
    ending.reason,
    ending.pauseReason,
    counts.verified,
    counts.failed,
    ending.transition,
  ]);
}

// The customer asked for an inspection and knows no job of it, so the end of the job tells of the inspection.
const INSPECTED = `, inspected as (
  insert into events (account_id, kind, subject, payload)
  select i.account_id, 'inspection.made', i.id, '{}' from inspections i join moved on moved.id = i.job_id
  where i.kind = 'inspection' and moved.status = 'SUCCEEDED')`;

const END = statusChange(
  `
  update jobs j set status = $2, status_reason = $3, pause_reason = $4, transition = greatest(transition, $7), tasks_verified = $5, tasks_failed = $6,
    version = version + 1, updated_at = now(), finished_at = case when $2 = 'PAUSED' then null else coalesce(finished_at, now()) end
  from before where j.id = before.job_id`,
  INSPECTED,
);
