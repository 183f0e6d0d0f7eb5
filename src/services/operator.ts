/** Operations of operators across all customers. Only the command line calls this; no HTTP endpoint leads here. */
import { Not } from 'typeorm';
import type { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';

import { AccountEntity } from '../../entities/accounts.ts';
import type { User } from '../../entities/accounts.ts';
import { InstanceEntity } from '../../entities/instances.ts';
import type { Instance } from '../../entities/instances.ts';
import { JobEntity } from '../../entities/jobs.ts';
import type { Job } from '../../entities/jobs.ts';
import type { JobWorkflows } from '../adapters/temporal/client.ts';
import { AppError } from '../domain/errors.ts';
import { isTerminal } from '../domain/job-state.ts';
import type { JobState } from '../domain/job-state.ts';
import { recordChange, SOME_OPERATOR } from './audit/index.ts';
import type { Author } from './audit/index.ts';
import { announceJob } from './events/announce.ts';
import { notePause } from './job-records/pending-pause.ts';
import type { TakeUp } from './job-records/take-up.ts';
import { inTransaction } from './transaction.ts';

/** A job as operators list it. The name and contents of a job are the customer's. */
export interface OperatorJob extends Readonly<
  Pick<
    Job,
    | 'accountId'
    | 'status'
    | 'statusReason'
    | 'pauseReason'
    | 'jobType'
    | 'simulator'
    | 'toolId'
    | 'execution'
    | 'submittedAt'
    | 'finishedAt'
  >
> {
  readonly jobId: Job['id'];
  readonly tasks: Job['taskTotal'];
  readonly verified: Job['tasksVerified'];
  readonly failed: Job['tasksFailed'];
  readonly recoveries: Job['recoveryCount'];
  /** Sum that open holds of the job hold now. */
  readonly heldPence: number;
  /** Sum that all executions of the job have charged so far. */
  readonly chargedPence: number;
}

/** An instance as operators list it. */
export type OperatorInstance = Readonly<
  Omit<Instance, 'launchToken' | 'stagingDueAt' | 'candidate' | 'round' | 'terms' | 'askedAt'>
>;

/** Selection of the listed jobs. */
export interface JobFilter {
  readonly status?: JobState;
  readonly accountId?: string;
  readonly limit: number;
}

/** Result of asking a job to pause. */
export interface PauseResult {
  readonly jobId: string;
  /** The state of the job when it was asked to pause. */
  readonly status: JobState;
  readonly outcome: 'requested' | 'already paused' | 'already ending';
}

/** The account of an id or an e-mail address. @throws NOT_FOUND. */
export async function findAccount(db: DataSource, idOrEmail: string): Promise<string> {
  if (isUuid(idOrEmail)) {
    const accounts = db.getRepository(AccountEntity);
    if (await accounts.existsBy({ id: idOrEmail })) return idOrEmail;
  } else {
    // The database compares without case, as its unique index does.
    const [user] = await db.query<Pick<User, 'accountId'>[]>(
      'select account_id as "accountId" from users where lower(email) = lower($1)',
      [idOrEmail],
    );
    if (user?.accountId != null) return user.accountId;
  }
  throw new AppError('NOT_FOUND', `There is no account ${idOrEmail}.`);
}

/** Jobs of all customers, newest first. */
export async function listAllJobs(db: DataSource, filter: JobFilter): Promise<readonly OperatorJob[]> {
  return db.query<OperatorJob[]>(
    `select j.id as "jobId", j.account_id as "accountId", j.status, j.status_reason as "statusReason",
       j.pause_reason as "pauseReason", j.job_type as "jobType", j.simulator, j.tool_id as "toolId", j.execution,
       j.task_total as tasks,
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
  return db.getRepository(InstanceEntity).find({
    select: {
      jobId: true,
      slot: true,
      generation: true,
      provider: true,
      providerId: true,
      state: true,
      instanceType: true,
      market: true,
      vcpus: true,
      launchedAt: true,
      lastContactAt: true,
      fencedAt: true,
      fenceCause: true,
      terminatedAt: true,
      refusal: true,
      gpus: true,
      instanceClass: true,
      cpuClass: true,
      zone: true,
    },
    where: filter.all ? {} : { state: Not('TERMINATED') },
    order: { launchedAt: 'desc', jobId: 'asc', slot: 'asc', generation: 'desc' },
    take: filter.limit,
  });
}

/** The database, Temporal, and what starts the workflow of a job that no workflow works on. */
export interface PauseDependencies {
  readonly db: DataSource;
  readonly workflows: Pick<JobWorkflows, 'pause'>;
  readonly takeUp: TakeUp;
}

/**
 * Asks a job to pause: its running tasks finish, then all it holds is given back. A repeat is safe.
 * @throws NOT_FOUND, SERVICE_UNAVAILABLE when Temporal did not take the message.
 */
export async function pauseJob(
  deps: PauseDependencies,
  jobId: string,
  by: Author = SOME_OPERATOR,
): Promise<PauseResult> {
  const job = await deps.db
    .getRepository(JobEntity)
    .findOne({ select: { id: true, status: true, accountId: true }, where: { id: jobId } });
  if (job === null) throw new AppError('NOT_FOUND', `There is no job ${jobId}.`);
  const { status } = job;
  if (status === 'PAUSED') return { jobId, status, outcome: 'already paused' };
  if (isTerminal(status) || status === 'CANCELLING') return { jobId, status, outcome: 'already ending' };
  const { accountId } = job;
  // The message is no part of the transaction, so the log says what was asked for before it is asked.
  await inTransaction(deps.db, (tx) =>
    recordChange(tx, by, { accountId, action: 'job.pause-requested', subject: jobId, before: { status } }),
  );
  if (!(await sendPause(deps, jobId))) return { jobId, status, outcome: 'already ending' };
  if (await notePause(deps.db.manager, jobId, 'OPERATOR')) await announceJob(deps.db, jobId);
  return { jobId, status, outcome: 'requested' };
}

async function sendPause({ workflows, takeUp }: PauseDependencies, jobId: string): Promise<boolean> {
  const reason = 'OPERATOR';
  try {
    return (await workflows.pause(jobId, reason)) || (await takeUp(jobId, { kind: 'pause', reason }));
  } catch (error) {
    throw new AppError('SERVICE_UNAVAILABLE', 'Temporal did not take the message. Repeat it.', {
      cause: error,
    });
  }
}
