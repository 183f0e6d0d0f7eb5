/** What operators see and do across all customers. Only the command line calls this; no HTTP endpoint leads here. */
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import type { JobWorkflows } from '../adapters/temporal/client.ts';
import { AppError } from '../domain/errors.ts';
import { isTerminal } from '../domain/job-state.ts';
import type { JobState, PauseReason } from '../domain/job-state.ts';

/** A job as operators list it. Its name and contents are the customer's. */
export interface OperatorJob {
  readonly jobId: string;
  readonly accountId: string;
  readonly status: JobState;
  readonly statusReason: string | null;
  readonly pauseReason: PauseReason | null;
  readonly jobType: string;
  readonly simulator: string | null;
  readonly execution: number;
  readonly tasks: number;
  readonly verified: number;
  readonly failed: number;
  readonly recoveries: number;
  /** Held now. */
  readonly heldPence: number;
  /** Charged so far, all executions. */
  readonly chargedPence: number;
  readonly submittedAt: Date;
  readonly finishedAt: Date | null;
}

/** An instance as operators list it. */
export interface OperatorInstance {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
  readonly provider: string;
  readonly providerId: string | null;
  readonly state: 'LAUNCHING' | 'RUNNING' | 'TERMINATED';
  readonly vcpus: number;
  readonly launchedAt: Date;
  readonly lastContactAt: Date | null;
  readonly fencedAt: Date | null;
  readonly fenceCause: string | null;
  readonly terminatedAt: Date | null;
}

/** Which jobs. */
export interface JobFilter {
  readonly status?: JobState;
  readonly accountId?: string;
  readonly limit: number;
}

/** What asking a job to pause came to. */
export interface PauseResult {
  readonly jobId: string;
  /** The state when it was asked. */
  readonly status: JobState;
  readonly outcome: 'requested' | 'already paused' | 'already ending';
}

/** The account of an id or an e-mail address. @throws NOT_FOUND. */
export async function findAccount(db: DataSource, idOrEmail: string): Promise<string> {
  const [row] = await db.query<{ id: string }[]>(
    isUuid(idOrEmail)
      ? 'select id from accounts where id = $1'
      : 'select account_id as id from users where lower(email) = lower($1)',
    [idOrEmail],
  );
  if (row !== undefined) return row.id;
  throw new AppError('NOT_FOUND', `There is no account ${idOrEmail}.`);
}

/** Jobs of all customers, newest first. */
export async function listAllJobs(db: DataSource, filter: JobFilter): Promise<readonly OperatorJob[]> {
  return db.query<OperatorJob[]>(
    `select j.id as "jobId", j.account_id as "accountId", j.status, j.status_reason as "statusReason",
       j.pause_reason as "pauseReason", j.job_type as "jobType", j.simulator, j.execution, j.task_total as tasks,
       j.tasks_verified as verified, j.tasks_failed as failed, j.recovery_count as recoveries,
       money.held as "heldPence", money.charged as "chargedPence", j.submitted_at as "submittedAt",
       j.finished_at as "finishedAt"
     from jobs j, lateral (
       select coalesce(sum(held_pence) filter (where state = 'OPEN'), 0)::bigint as held,
         coalesce(sum(charged_pence), 0)::bigint as charged
       from holds where job_id = j.id) money
     where ($1::text is null or j.status = $1) and ($2::uuid is null or j.account_id = $2)
     order by j.submitted_at desc, j.id desc limit $3`,
    [filter.status ?? null, filter.accountId ?? null, filter.limit],
  );
}

/** Instances that may still exist, or with `all` every one there ever was; newest first. */
export async function listInstances(
  db: DataSource,
  filter: { readonly all: boolean; readonly limit: number },
): Promise<readonly OperatorInstance[]> {
  return db.query<OperatorInstance[]>(
    `select job_id as "jobId", slot, generation, provider, provider_id as "providerId", state, vcpus,
       launched_at as "launchedAt", last_contact_at as "lastContactAt", fenced_at as "fencedAt",
       fence_cause as "fenceCause", terminated_at as "terminatedAt"
     from instances where $1 or state <> 'TERMINATED'
     order by launched_at desc, job_id, slot, generation desc limit $2`,
    [filter.all, filter.limit],
  );
}

/**
 * Asks a job to pause: its running tasks finish, then all it holds is given back. A repeat is safe.
 * @throws NOT_FOUND, SERVICE_UNAVAILABLE when Temporal did not take the message.
 */
export async function pauseJob(
  deps: { readonly db: DataSource; readonly workflows: Pick<JobWorkflows, 'pause'> },
  jobId: string,
): Promise<PauseResult> {
  const [job] = await deps.db.query<{ status: JobState }[]>('select status from jobs where id = $1', [jobId]);
  if (job === undefined) throw new AppError('NOT_FOUND', `There is no job ${jobId}.`);
  const { status } = job;
  if (status === 'PAUSED') return { jobId, status, outcome: 'already paused' };
  if (isTerminal(status) || status === 'CANCELLING') return { jobId, status, outcome: 'already ending' };
  return {
    jobId,
    status,
    outcome: (await sendPause(deps.workflows, jobId)) ? 'requested' : 'already ending',
  };
}

async function sendPause(workflows: Pick<JobWorkflows, 'pause'>, jobId: string): Promise<boolean> {
  try {
    return await workflows.pause(jobId, 'OPERATOR');
  } catch (error) {
    throw new AppError('SERVICE_UNAVAILABLE', 'Temporal did not take the message. Repeat it.', {
      cause: error,
    });
  }
}
