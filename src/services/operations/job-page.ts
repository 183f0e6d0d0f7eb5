/** The page of one job for operators: what all tables say of the job, whatever Temporal still knows. */
import type { DataSource } from 'typeorm';

import type { AuditEntry } from '../../../entities/audit.ts';
import type { CapacityRequest } from '../../../entities/capacity.ts';
import type { Instance } from '../../../entities/instances.ts';
import type { Job, JobExecution } from '../../../entities/jobs.ts';
import type { Hold } from '../../../entities/ledger.ts';
import { dueCredits, dueLines } from '../../domain/charge.ts';
import { AppError } from '../../domain/errors.ts';
import type {
  CapacityView,
  CountedCause,
  ExecutionView,
  InstanceView,
  JobPage,
} from '../../domain/job-view.ts';
import type { Quote } from '../../domain/pricing.ts';
import { readUsage } from '../execution/capacity/grants.ts';
import { tellLacks } from '../execution/capacity/lacks.ts';
import type { CapacityLimits } from '../../domain/capacity-pools.ts';
import { STATUS_REASON } from '../full-store.ts';
import { verifiedTasks } from '../prices/verified.ts';
import type { VerifiedColumn } from '../prices/verified.ts';
import type { Documents, Row } from '../row.ts';

const SHOWN_INSTANCES = 20;
const SHOWN_CHANGES = 5;
const SHOWN_CAUSES = 10;

interface JobRow
  extends
    Row<
      Job,
      | 'accountId'
      | 'toolId'
      | 'provider'
      | 'recoveryMode'
      | 'status'
      | 'statusAt'
      | 'statusReason'
      | 'pauseReason'
      | 'cancelRequestedAt'
      | 'submittedAt'
      | 'finishedAt'
      | 'execution'
      | 'taskTotal'
      | 'tasksVerified'
      | 'tasksFailed'
      | 'recoveryCount'
    >,
    Documents<JobExecution, { quote: Quote }>,
    VerifiedColumn {
  readonly now: Date;
  readonly running: number;
  readonly charged_before: boolean;
}

const JOB = `
  select j.account_id, j.tool_id, j.provider, j.recovery_mode, j.status, j.status_at, ${STATUS_REASON} as status_reason, j.pause_reason,
    j.cancel_requested_at, j.submitted_at, j.finished_at, j.execution, j.task_total, j.tasks_verified, j.tasks_failed,
    j.recovery_count, now() as now, e.quote,
    ${verifiedTasks('t.job_id = j.id and t.execution = j.execution')} as verified,
    (select count(*)::int from tasks t where t.job_id = j.id and t.state = 'RUNNING' and t.kind = 'task') as running,
    exists (select from holds b where b.job_id = j.id and b.execution < j.execution and b.charged_pence > 0) as charged_before
  from jobs j join job_executions e on e.job_id = j.id and e.n = j.execution where j.id = $1`;

type ExecutionRow = Row<JobExecution, 'n' | 'startedAt' | 'settledAt'> &
  Row<Hold, 'state' | 'heldPence' | 'extendedPence' | 'chargedPence' | 'releasedPence'>;

const EXECUTIONS = `
  select e.n, e.started_at, e.settled_at, h.state, h.held_pence, h.extended_pence, h.charged_pence, h.released_pence
  from job_executions e join holds h on h.id = e.hold_id where e.job_id = $1 order by e.n`;

type CapacityRow = Row<
  CapacityRequest,
  | 'state'
  | 'vcpus'
  | 'wantedVcpus'
  | 'reason'
  | 'requestedAt'
  | 'grantedAt'
  | 'accountId'
  | 'plan'
  | 'class'
  | 'stepVcpus'
  | 'stepGpus'
  | 'licence'
>;

const CAPACITY = `
  select state, vcpus, wanted_vcpus, reason, requested_at, granted_at, account_id, plan, class, step_vcpus, step_gpus, licence
  from capacity_requests where job_id = $1 and execution = $2`;

interface InstanceRow extends Row<
  Instance,
  | 'slot'
  | 'generation'
  | 'state'
  | 'market'
  | 'launchedAt'
  | 'lastContactAt'
  | 'fencedAt'
  | 'fenceCause'
  | 'refusal'
> {
  readonly silent: number | null;
}

const INSTANCES = `
  select slot, generation, state, market, launched_at, last_contact_at, fenced_at, fence_cause, refusal,
    case when state <> 'TERMINATED' then extract(epoch from now() - coalesce(last_contact_at, launched_at))::float8 end as silent
  from instances where job_id = $1
  order by state = 'TERMINATED', launched_at desc, slot, generation limit ${String(SHOWN_INSTANCES)}`;

interface CauseRow {
  readonly cause: string;
  readonly count: number;
  readonly last_at: Date | null;
}

const LOSSES = `
  select cause, count(*)::int as count, max(created_at) as last_at from recoveries where job_id = $1
  group by 1 order by 2 desc, 1 limit ${String(SHOWN_CAUSES)}`;
const FAILURES = `
  select coalesce(failure_code, 'INTERNAL_ERROR') as cause, count(*)::int as count, max(finished_at) as last_at
  from tasks where job_id = $1 and state = 'FAILED' group by 1 order by 2 desc, 1 limit ${String(SHOWN_CAUSES)}`;

interface ChangeRow extends Row<AuditEntry, 'action' | 'createdAt' | 'authorKind' | 'authorId'> {
  readonly reason: string | null;
}

const CHANGES = `
  select action, created_at, author_kind, author_id, after ->> 'reason' as reason from audit_log
  where account_id = $2 and subject = $1 order by created_at desc, id desc limit ${String(SHOWN_CHANGES)}`;

/** Reads the page of a job; the limits tell what a job that waits for capacity lacks. @throws NOT_FOUND. */
export async function readJobPage(db: DataSource, jobId: string, limits: CapacityLimits): Promise<JobPage> {
  const [job] = await db.query<JobRow[]>(JOB, [jobId]);
  if (job === undefined) throw new AppError('NOT_FOUND', `There is no job ${jobId}.`);
  const executions = await db.query<ExecutionRow[]>(EXECUTIONS, [jobId]);
  const [capacity] = await db.query<CapacityRow[]>(CAPACITY, [jobId, job.execution]);
  const instances = await db.query<InstanceRow[]>(INSTANCES, [jobId]);
  const losses = await db.query<CauseRow[]>(LOSSES, [jobId]);
  const failures = await db.query<CauseRow[]>(FAILURES, [jobId]);
  const changes = await db.query<ChangeRow[]>(CHANGES, [jobId, job.account_id]);
  return {
    jobId,
    ...standingOf(job),
    ...moneyOf(job, executions),
    executions: executions.map(executionOf),
    capacity: capacity === undefined ? null : await capacityOf(db, capacity, limits),
    instances: instances.map(instanceOf),
    losses: losses.map(causeOf),
    failures: failures.map(causeOf),
    changes: changes.map((row) => ({
      action: row.action,
      at: row.created_at,
      by: row.author_id === null ? row.author_kind : `${row.author_kind} ${row.author_id}`,
      reason: row.reason,
    })),
  };
}

function standingOf(job: JobRow) {
  return {
    accountId: job.account_id,
    toolId: job.tool_id,
    provider: job.provider,
    recoveryMode: job.recovery_mode,
    status: job.status,
    statusAt: job.status_at,
    now: job.now,
    statusReason: job.status_reason,
    pauseReason: job.pause_reason,
    cancelRequestedAt: job.cancel_requested_at,
    submittedAt: job.submitted_at,
    finishedAt: job.finished_at,
    execution: job.execution,
    recoveries: job.recovery_count,
    tasks: {
      total: job.task_total,
      verified: job.tasks_verified,
      failed: job.tasks_failed,
      running: job.running,
    },
  };
}

/** Computes the sums of a job; the due sum of an execution that is not settled is no charge yet. */
function moneyOf(
  job: JobRow,
  executions: readonly ExecutionRow[],
): Pick<JobPage, 'duePence' | 'heldPence' | 'chargedPence'> {
  const present = executions.find((row) => row.n === job.execution);
  const isOpen = present?.state === 'OPEN';
  const lines = dueLines(job.quote, job.verified ?? [], !job.charged_before, present?.extended_pence ?? 0);
  const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0);
  return {
    duePence: isOpen ? dueCredits(job.quote, lines).duePence : 0,
    heldPence: sum(executions.filter((row) => row.state === 'OPEN').map((row) => row.held_pence)),
    chargedPence: sum(executions.map((row) => row.charged_pence)),
  };
}

function executionOf(row: ExecutionRow): ExecutionView {
  return {
    execution: row.n,
    holdState: row.state,
    heldPence: row.held_pence,
    chargedPence: row.charged_pence,
    releasedPence: row.released_pence,
    startedAt: row.started_at,
    settledAt: row.settled_at,
  };
}

async function capacityOf(db: DataSource, row: CapacityRow, limits: CapacityLimits): Promise<CapacityView> {
  return {
    lacks: row.state === 'WAITING' ? tellLacks(row, limits, await readUsage(db)) : [],
    state: row.state,
    vcpus: row.vcpus,
    wantedVcpus: row.wanted_vcpus,
    reason: row.reason,
    requestedAt: row.requested_at,
    grantedAt: row.granted_at,
  };
}

function instanceOf(row: InstanceRow): InstanceView {
  return {
    slot: row.slot,
    generation: row.generation,
    state: row.state,
    market: row.market,
    launchedAt: row.launched_at,
    lastContactAt: row.last_contact_at,
    fencedAt: row.fenced_at,
    fenceCause: row.fence_cause,
    refusal: row.refusal,
    silentSeconds: row.silent,
  };
}

function causeOf({ cause, count, last_at: lastAt }: CauseRow): CountedCause {
  return { cause, count, lastAt };
}
