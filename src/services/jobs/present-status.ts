/** A status row as the customer reads it. */
import type { CapacityRequest } from '../../../entities/capacity.ts';
import type { Job, JobExecution } from '../../../entities/jobs.ts';
import type { Hold } from '../../../entities/ledger.ts';
import type { Task } from '../../../entities/tasks.ts';
import { accruedMicro } from '../../domain/charge.ts';
import type { STATUS_WORDS } from '../../domain/codes/jobs.ts';
import { microToUnits } from '../../domain/pricing.ts';
import type { Quote } from '../../domain/pricing.ts';
import { isTerminal } from '../../domain/job-state.ts';
import { resumabilityOf } from '../../domain/resumability.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { StepSummaries } from '../../tools/shown.ts';
import type { Documents, ExactTimes, Row } from '../row.ts';
import type { QueuePlace } from '../job-records/queue-place.ts';
import { presentItem } from '../present-item.ts';
import { answeredFxRate, CREDIT_CURRENCY } from '../prices/quotes.ts';
import { ofOnlyClass } from '../prices/verified.ts';
import type { VerifiedColumn } from '../prices/verified.ts';
import type { CostForecast, SeenWork } from '../../domain/forecast.ts';
import type { ToFinish } from './to-finish.ts';
import type { JobStatusResponse } from '../../domain/answers.ts';
import type { JobWarning } from '../../domain/warnings.ts';

type JobFailure = JobStatusResponse['failures'][number];
type JobInstance = JobStatusResponse['instances'][number];
type JobProgress = JobStatusResponse['progress'];
type JobQueuePlace = NonNullable<JobStatusResponse['queue']>;
type JobRecovery = JobStatusResponse['recovery'];
type RecoveryEvent = JobStatusResponse['recovery']['events'][number];

interface FailureRow extends Readonly<Pick<Task, 'kind' | 'ordinal' | 'attempts'>> {
  readonly id: Task['itemId'];
  readonly code: Task['failureCode'];
  readonly message: Task['failureMessage'];
}

type JobColumn =
  | 'id'
  | 'jobType'
  | 'toolId'
  | 'jobName'
  | 'status'
  | 'execution'
  | 'provider'
  | 'statusReason'
  | 'pauseReason'
  | 'cancelReason'
  | 'unit'
  | 'taskTotal'
  | 'tasksVerified'
  | 'tasksFailed'
  | 'recoveryMode'
  | 'recoveryCount'
  | 'version';

/** Row of the status statement. */
export interface StatusRow
  extends
    Row<Job, JobColumn>,
    ExactTimes<Job, 'submittedAt' | 'startedAt' | 'updatedAt' | 'finishedAt'>,
    Documents<Job, { warnings: JobWarning[] }>,
    Documents<JobExecution, { quote: Quote }>,
    VerifiedColumn,
    Row<JobExecution, 'limitPence'>,
    Row<Hold, 'heldPence' | 'extendedPence' | 'chargedPence' | 'releasedPence'> {
  /** Sum that earlier executions have charged, in micro-units of the price's currency. */
  readonly charged_before_micro: number;
  /** How long the execution runs, and the tasks that earlier ones have verified. */
  readonly running_seconds: number | null;
  readonly tasks_before: number;
  /** Facts from which the forecast of a running job that is measured is made; null for every other job. */
  readonly seen_work: SeenWork | null;
  readonly running: number;
  readonly running_percent: number;
  /** Whether a cancel was asked for that the job has not begun to carry out. */
  readonly is_cancel_requested: boolean;
  /** Whether the job is about to pause. */
  readonly is_pause_requested: boolean;
  /** Why the execution waits for capacity; null when it does not wait, or the reason is not known yet. */
  readonly queue_reason: CapacityRequest['reason'];
  readonly recoveries: RecoveryEvent[];
  /** The sums over all lost instances. */
  readonly recovered: Pick<JobRecovery, 'tasksSetBack' | 'secondsLost' | 'chargedCents'>;
  readonly instances: JobInstance[];
  readonly failures: readonly FailureRow[];
  readonly outputs_available: boolean;
  /** Summaries of the steps that have succeeded, by kind. */
  readonly steps: StepSummaries | null;
}

/** Facts that are read apart of a status row: the place in the queue, null when it is not known, and the price of finishing. */
export interface ReadApart {
  readonly place: QueuePlace | null;
  readonly toFinish: ToFinish;
  readonly forecast: CostForecast | null;
  /** The warning that belongs to the moment of the answer; null for none. */
  readonly warning: JobWarning | null;
}

/** The answer of GET /jobs/{id}/status. */
export function presentStatus(
  tools: ToolRegistry,
  row: StatusRow,
  { place, toFinish, forecast, warning }: ReadApart,
): JobStatusResponse {
  const { quote, charged_before_micro: before } = row;
  const accrued = accruedMicro(quote, row.verified ?? ofOnlyClass(row.tasks_verified), row.extended_pence);
  return {
    jobId: row.id,
    jobType: row.job_type,
    jobName: row.job_name,
    status: row.status,
    execution: row.execution,
    provider: row.provider,
    statusReason: reasonOf(row),
    pauseReason: row.is_pause_requested || row.status === 'PAUSED' ? row.pause_reason : null,
    cancelReason: row.cancel_reason,
    queue: queueOf(row, place),
    progress: progressOf(row),
    recovery: {
      mode: row.recovery_mode,
      ...resumabilityOf(tools.lookUp(row.tool_id)?.work.checkpoint ?? null, row.steps?.prepare),
      recoveries: row.recovery_count,
      ...row.recovered,
      events: row.recoveries,
    },
    instances: row.instances,
    cost: {
      estimatedCost: microToUnits(before + quote.estimatedMicro),
      accruedCost: microToUnits(before + accrued),
      currency: quote.pricing.currency,
      creditCurrency: CREDIT_CURRENCY,
      fxRate: answeredFxRate(quote),
      heldCents: row.held_pence,
      chargedCents: row.charged_pence,
      releasedCents: row.released_pence,
      limitCents: row.limit_pence,
      forecast,
      toFinishCents: toFinish.pence,
      toFinishAdvice: toFinish.advice,
      toFinishFailsAgain: toFinish.failsAgain,
    },
    failures: failuresOf(row.unit, row.failures),
    warnings: warning === null ? row.warnings : [...row.warnings, warning],
    ...tools.statusParts(row.tool_id, row.steps ?? {}),
    outputsAvailable: row.outputs_available,
    submittedAt: row.submitted_at,
    startedAt: row.started_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}

/** Why the job is in its state. A cancel or a pause that was asked for counts before what the job did until then. */
function reasonOf(row: StatusRow): string | null {
  if (row.is_cancel_requested) return 'CANCEL_REQUESTED' satisfies keyof typeof STATUS_WORDS;
  if (row.is_pause_requested) return 'PAUSE_REQUESTED' satisfies keyof typeof STATUS_WORDS;
  const starting = 'INSTANCE_STARTING' satisfies keyof typeof STATUS_WORDS;
  return row.status_reason ?? (isStarting(row) ? starting : null);
}

/** Whether the job waits for instances that were launched and have not called yet. */
function isStarting({ status, instances }: StatusRow): boolean {
  return (
    status === 'PROVISIONING' && instances.length > 0 && instances.every(({ state }) => state === 'STARTING')
  );
}

function queueOf(row: StatusRow, place: QueuePlace | null): JobQueuePlace | null {
  if (row.status !== 'QUEUED') return null;
  const reason = place?.reason ?? row.queue_reason ?? row.status_reason ?? 'Waiting for capacity.';
  const license = place?.license;
  return {
    position: place?.position ?? null,
    reason,
    ...(license !== undefined && { license: { ...license } }),
  };
}

function progressOf(row: StatusRow): JobProgress {
  const decided = row.tasks_verified + row.tasks_failed;
  // A running task counts with its own progress, but a job with undecided tasks never shows 100 percent.
  const share = Math.min((decided + row.running_percent / 100) / row.task_total, 1);
  // A batch that a rule has stopped is done, although ligands are left.
  const isDone = decided === row.task_total || row.status === 'SUCCEEDED';
  const percent = isDone ? 100 : Math.min(Math.floor(share * 1000) / 10, 99.9);
  return {
    unit: row.unit,
    total: row.task_total,
    completed: row.tasks_verified,
    failed: row.tasks_failed,
    running: row.running,
    percent,
    etaSeconds: etaSeconds(row, share),
  };
}

/** The time left at the rate of this execution: neither the pause before it nor what was done before it tells of its rate. */
function etaSeconds(row: StatusRow, share: number): number | null {
  const done = share - row.tasks_before / row.task_total;
  if (isTerminal(row.status) || row.status === 'PAUSED' || row.running_seconds === null || done <= 0)
    return null;
  return Math.max(0, Math.round((row.running_seconds * (1 - share)) / done));
}

/** Shows a failed preparation once, and not again for each task and step that failed because of the preparation. */
function failuresOf(unit: Job['unit'], rows: readonly FailureRow[]): JobFailure[] {
  const preparation = rows.find((row) => row.kind === 'prepare');
  const shown =
    preparation === undefined ? rows : rows.filter((row) => row.kind === 'prepare' || row.attempts > 0);
  return shown.map((row) => {
    const { index, id } = presentItem(unit, { kind: row.kind, ordinal: row.ordinal, itemId: row.id });
    return {
      index,
      id,
      code: row.code ?? 'INTERNAL_ERROR',
      message: row.message ?? 'The task failed.',
      attempts: row.attempts,
    };
  });
}
