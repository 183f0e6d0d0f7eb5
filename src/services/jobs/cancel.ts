/**
 * Cancelling a job first notes the request in the job's row and then sends a message to the job's workflow. The request is
 * accepted only when Temporal took the message; the customer may repeat the request. A job that has ended stays as it is.
 */
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

import type { Job } from '../../../entities/jobs.ts';
import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { isTerminal } from '../../domain/job-state.ts';
import type { CancelJobRequest } from '../../domain/requests.ts';
import { announceJob } from '../events/announce.ts';
import type { TakeUp } from '../job-records/take-up.ts';
import { exactTime } from '../exact-time.ts';
import { TERMINAL_SQL } from '../job-state-sql.ts';
import type { ExactTimes, Row } from '../row.ts';
import { jobNotFound, OF_CUSTOMER, ownedJob } from './owned.ts';
import type { CancelJobResponse } from '../../domain/answers.ts';

/** The outcome of a request to cancel; `changed` is false when the job had ended already. */
export interface CancelResult {
  readonly changed: boolean;
  readonly response: CancelJobResponse;
}

/** The database with the jobs, Temporal with their workflows, and a log for messages that Temporal did not take. */
export interface CancelDependencies {
  readonly db: DataSource;
  readonly workflows: Pick<JobWorkflows, 'cancel'>;
  readonly takeUp: TakeUp;
  readonly log: Pick<Logger, 'warn'>;
}

type JobRow = Row<Job, 'id' | 'status'> & ExactTimes<Job, 'cancelRequestedAt'>;

const RETRY_AFTER_SECONDS = 5;
const COLUMNS = `id, status, ${exactTime('cancel_requested_at')} as cancel_requested_at`;

// The time and the reason of the first request are kept. A repeated request changes nothing, so it raises no version.
const REQUEST = `
  with requested as (
    update jobs set cancel_requested_at = now(), cancel_reason = $3, version = version + 1, updated_at = now()
    where id = $1 and account_id = $2 and (${OF_CUSTOMER} or $4::boolean) and cancel_requested_at is null and status not in ${TERMINAL_SQL}
    returning ${COLUMNS}
  )
  select * from requested
  union all
  select ${COLUMNS} from jobs
  where id = $1 and account_id = $2 and (${OF_CUSTOMER} or $4::boolean) and not exists (select 1 from requested)`;

/** Asks a job to stop. @throws NOT_FOUND, SERVICE_UNAVAILABLE when the message was not taken. */
export async function cancelJob(
  deps: CancelDependencies,
  actor: Actor,
  jobId: string,
  body: CancelJobRequest,
): Promise<CancelResult> {
  return cancelOwned(deps, ownedJob(actor, jobId), { reason: body.reason ?? null, isOurs: false });
}

/**
 * Asks a job to stop for the service itself, such as for an operator who has cancelled the workflow of a run. The job may be one
 * that the service has made for itself, which no customer can cancel.
 */
export async function requestCancel(
  deps: CancelDependencies,
  { jobId, accountId }: { readonly jobId: string; readonly accountId: string },
  reason: string | null,
): Promise<CancelResult> {
  return cancelOwned(deps, [jobId, accountId], { reason, isOurs: true });
}

interface AskedCancel {
  readonly reason: string | null;
  /** Whether the service asks, which has jobs that no customer sees. */
  readonly isOurs: boolean;
}

async function cancelOwned(
  deps: CancelDependencies,
  owned: readonly [string, string],
  asked: AskedCancel,
): Promise<CancelResult> {
  const { reason } = asked;
  const job = await request(deps.db, owned, asked);
  void announceJob(deps.db, job.id);
  if (isTerminal(job.status)) return ended(job);
  if (await sendCancel(deps, job.id, reason)) {
    const message =
      'The job is being cancelled. Complete outputs are kept and charged; the rest of the hold is released.';
    return { changed: true, response: responseOf(job, message) };
  }
  // No workflow ran for the job, and none could be started from rows: the job has ended since its row was read.
  const [now] = await deps.db.query<JobRow[]>(
    `select ${COLUMNS} from jobs where id = $1 and account_id = $2`,
    [...owned],
  );
  if (now !== undefined && isTerminal(now.status)) return ended(now);
  throw notTaken(undefined);
}

/** Notes the request in the job's row and answers the row. */
async function request(
  db: DataSource,
  owned: readonly [string, string],
  { reason, isOurs }: AskedCancel,
): Promise<JobRow> {
  for (;;) {
    const [job] = await db.query<JobRow[]>(REQUEST, [...owned, reason, isOurs]);
    if (job === undefined) throw jobNotFound();
    // The row shows neither a request nor an end when the job ended while this statement waited for the row's lock: the
    // statement then answers the row as it was before. The next turn reads the row as it is.
    if (job.cancel_requested_at !== null || isTerminal(job.status)) return job;
  }
}

/** Sends the message to the workflow that runs, or starts the workflow with the message where its run was lost. */
async function sendCancel(
  { workflows, takeUp, log }: CancelDependencies,
  jobId: string,
  reason: string | null,
): Promise<boolean> {
  try {
    return (await workflows.cancel(jobId, reason)) || (await takeUp(jobId, { kind: 'cancel', reason }));
  } catch (error) {
    log.warn({ jobId, err: error }, 'a cancel request was not taken by Temporal');
    throw notTaken(error);
  }
}

function notTaken(cause: unknown): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'The request to cancel could not be delivered. Repeat it.', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function ended(job: JobRow): CancelResult {
  return { changed: false, response: responseOf(job, `The job has ended already: ${job.status}.`) };
}

function responseOf(job: JobRow, message: string): CancelJobResponse {
  return {
    jobId: job.id,
    status: job.status,
    cancelRequestedAt: job.cancel_requested_at,
    message,
  };
}
