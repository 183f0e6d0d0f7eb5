/**
 * A job is taken up from its rows: whoever has a message for a job whose workflow does not run starts the workflow with the
 * message, and the run goes on with what the rows know. The audit does so for jobs that nobody has a message for. A paused job has
 * no workflow until a message comes. A job that has ended, or whose plan was never kept, is not taken up.
 *
 * Instances of the run that was lost are fenced by the new run, so whatever the lost run has left behind changes nothing any
 * more; their tasks are set back. Steps and tasks that are verified stay as they are.
 */
import type { DataSource } from 'typeorm';

import type { Account } from '../../../entities/accounts.ts';
import type { Job, JobExecution } from '../../../entities/jobs.ts';
import type { Hold } from '../../../entities/ledger.ts';
import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import type { JobCarry, JobMessage, JobPlan, JobTakeUp, JobTiming } from '../../contracts/job.ts';
import { TERMINAL_SQL } from '../job-state-sql.ts';
import type { Documents, Row } from '../row.ts';
import type { SubmitJobResponse } from '../../domain/answers.ts';

/** The times that a workflow is started with; the names are those of the configuration. */
export interface WorkflowSettings extends JobTiming {
  readonly maxHistoryEvents: number;
}

/** The rows of jobs, Temporal, and the times for workflows that are started from rows. */
export interface TakeUpDependencies {
  readonly db: DataSource;
  readonly workflows: Pick<JobWorkflows, 'takeUp'>;
  readonly settings: WorkflowSettings;
}

/** Starts a job's workflow from rows with a message, or gives the message to the run that is there. */
export type TakeUp = (jobId: string, message: JobMessage) => Promise<boolean>;

/** The longest that a pause of the customer's own lasts. */
export const PAUSED_DAYS = 14;
/** A late attempt of the lost run may still write its next changes of state; from here on such changes are older. */
const TRANSITIONS_AHEAD = 100;

type SlotRow = { readonly slot: number; readonly generation: number; readonly open: boolean };

interface TakenUpRow
  extends
    Row<
      Job,
      | 'accountId'
      | 'jobType'
      | 'simulator'
      | 'toolId'
      | 'provider'
      | 'status'
      | 'statusReason'
      | 'pauseReason'
      | 'execution'
      | 'fingerprint'
      | 'recoveryMode'
      | 'recoveryCount'
      | 'tasksVerified'
      | 'tasksFailed'
      | 'transition'
      | 'cancelReason'
    >,
    Documents<Job, { submitResponse: SubmitJobResponse }>,
    Documents<JobExecution, { plan: JobPlan }>,
    Row<JobExecution, 'coversDispatch'>,
    Row<Hold, 'heldPence' | 'chargedPence'> {
  readonly account_plan: Account['plan'];
  readonly cancel_requested: boolean;
  readonly settled: boolean;
  readonly granted_vcpus: number | null;
  readonly slots: readonly SlotRow[];
  /** Seconds since 1970, by the database's clock. */
  readonly now_seconds: number;
}

const ROWS = `
  select j.account_id, a.plan as account_plan, j.job_type, j.simulator, j.tool_id, j.provider, j.status, j.status_reason,
    j.pause_reason, j.execution, j.fingerprint, j.submit_response, j.recovery_mode, j.recovery_count, j.tasks_verified,
    j.tasks_failed, j.transition, j.cancel_reason, j.cancel_requested_at is not null as cancel_requested, e.plan, e.covers_dispatch,
    e.settled_at is not null as settled, h.held_pence, h.charged_pence, c.vcpus as granted_vcpus,
    extract(epoch from now())::bigint as now_seconds,
    (select coalesce(jsonb_agg(i), '[]') from (
      select distinct on (slot) slot, generation, fenced_at is null and state <> 'TERMINATED' as open
      from instances where job_id = j.id order by slot, generation desc) i) as slots
  from jobs j join accounts a on a.id = j.account_id
  join job_executions e on e.job_id = j.id and e.n = j.execution join holds h on h.id = e.hold_id
  left join capacity_requests c on c.job_id = j.id and c.execution = j.execution and c.state = 'GRANTED'
  where j.id = $1 and e.plan is not null and j.status not in ${TERMINAL_SQL}`;

/** An instance that was about to be taken away has nobody left who waits for its tasks. */
const FENCE_DRAINED = `
  update instances set fenced_at = now(), fence_cause = 'CONTROL_LOST'
  where job_id = $1 and drained_at is not null and fenced_at is null`;

/** Makes the function that takes jobs up; it answers false for a job that has ended or whose plan was not kept. */
export function createTakeUp({ db, workflows, settings }: TakeUpDependencies): TakeUp {
  return async (jobId, message) => {
    const start = await readTakeUp(db, jobId, settings);
    if (start === null) return false;
    await db.query(FENCE_DRAINED, [jobId]);
    await workflows.takeUp(start, message);
    return true;
  };
}

/** The start of a job's workflow as the rows have it; null for a job that has ended. */
export async function readTakeUp(
  db: DataSource,
  jobId: string,
  settings: WorkflowSettings,
): Promise<JobTakeUp | null> {
  const [row] = await db.query<TakenUpRow[]>(ROWS, [jobId]);
  if (row === undefined) return null;
  const { maxHistoryEvents } = settings;
  const start = { kind: 'continue', carry: carryOf(row) } as const;
  return {
    input: { jobId, timing: timingOf(settings), maxHistoryEvents, start },
    toolId: row.tool_id,
    recoveryMode: row.recovery_mode,
  };
}

/** The times that a job's workflow is started with. */
export function timingOf(settings: WorkflowSettings): JobTiming {
  return {
    computeHeartbeatSeconds: settings.computeHeartbeatSeconds,
    computePickupSeconds: settings.computePickupSeconds,
    capacityPollSeconds: settings.capacityPollSeconds,
    noRoomSeconds: settings.noRoomSeconds,
    commitDelayMs: settings.commitDelayMs,
  };
}

function carryOf(row: TakenUpRow): JobCarry {
  const { plan, fingerprint, submit_response: response } = row;
  return {
    decision: { kind: 'admitted', fingerprint, response, replay: true },
    accountId: row.account_id,
    accountPlan: row.account_plan,
    jobType: row.job_type,
    simulator: row.simulator,
    provider: row.provider,
    plan,
    execution: row.execution,
    state: row.status,
    reason: row.status_reason,
    lastFailure: null,
    chargedPence: row.settled ? row.charged_pence : null,
    slots: Array.from({ length: plan.instances }, (_, slot) => slotOf(row.slots, slot)),
    hasCapacity: row.granted_vcpus !== null,
    grantedVcpus: row.granted_vcpus ?? 0,
    shortages: 0,
    // The runs of parts stand in ids that must be new, and no row counts them; the time is beyond all counts.
    partRuns: row.now_seconds,
    recoveries: row.recovery_count,
    transition: row.transition + TRANSITIONS_AHEAD,
    verified: row.tasks_verified,
    failed: row.tasks_failed,
    cancelRequested: row.cancel_requested,
    cancelReason: row.cancel_reason,
    pauseRequested: row.pause_reason,
    heldPence: row.held_pence,
    takenUp: true,
    ...(row.covers_dispatch ? { coversDispatch: true } : {}),
  };
}

function slotOf(rows: readonly SlotRow[], slot: number): JobCarry['slots'][number] {
  const last = rows.find((row) => row.slot === slot);
  if (last === undefined) return { generation: 1, open: false };
  return last.open
    ? { generation: last.generation, open: true }
    : { generation: last.generation + 1, open: false };
}
