/**
 * Cancelling a job: first a fact in its row, then the message to its workflow. Accepted only when Temporal took the
 * message; a repeat is safe. Once the job has ended it stays as it is.
 */
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';

import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { isTerminal } from '../../domain/job-state.ts';
import type { JobState } from '../../domain/job-state.ts';
import type { CancelJobRequest } from '../../domain/requests.ts';
import type { CancelJobResponse } from '../../domain/responses.ts';
import { exactTime } from '../exact-time.ts';
import { jobNotFound, OF_CUSTOMER, ownedJob } from './owned.ts';

/** What cancelling came to; `changed` false: the job had ended already. */
export interface CancelResult {
  readonly changed: boolean;
  readonly response: CancelJobResponse;
}

export interface CancelDependencies {
  readonly db: DataSource;
  readonly workflows: Pick<JobWorkflows, 'cancel'>;
  readonly log: Pick<Logger, 'warn'>;
}

interface JobRow {
  readonly id: string;
  readonly status: JobState;
  readonly cancel_requested_at: string | null;
}

const RETRY_AFTER_SECONDS = 5;
const COLUMNS = `id, status, ${exactTime('cancel_requested_at')} as cancel_requested_at`;
const ENDED = `('SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED')`;

// The first request's time and reason stand; only it is a change that the customer can see.
const REQUEST = `
  with requested as (
    update jobs set cancel_requested_at = now(), cancel_reason = $3, version = version + 1, updated_at = now()
    where id = $1 and account_id = $2 and ${OF_CUSTOMER} and cancel_requested_at is null and status not in ${ENDED}
    returning ${COLUMNS}
  )
  select * from requested
  union all
  select ${COLUMNS} from jobs
  where id = $1 and account_id = $2 and ${OF_CUSTOMER} and not exists (select 1 from requested)`;

/** Asks a job to stop. @throws NOT_FOUND, SERVICE_UNAVAILABLE when the message was not taken. */
export async function cancelJob(
  deps: CancelDependencies,
  actor: Actor,
  jobId: string,
  body: CancelJobRequest,
): Promise<CancelResult> {
  const owned = ownedJob(actor, jobId);
  const job = await request(deps.db, owned, body.reason ?? null);
  if (isTerminal(job.status)) return ended(job);
  if (await sendCancel(deps, job.id, body.reason ?? null)) {
    const message =
      'The job is being cancelled. Complete outputs are kept and charged; the rest of the hold is released.';
    return { changed: true, response: responseOf(job, message) };
  }
  // No workflow runs: the job has ended between the two looks, or its history is lost.
  const [now] = await deps.db.query<JobRow[]>(
    `select ${COLUMNS} from jobs where id = $1 and account_id = $2`,
    [...owned],
  );
  if (now !== undefined && isTerminal(now.status)) return ended(now);
  throw notTaken(undefined);
}

/** Notes the request; answers how the job stands. */
async function request(
  db: DataSource,
  owned: readonly [string, string],
  reason: string | null,
): Promise<JobRow> {
  for (;;) {
    const [job] = await db.query<JobRow[]>(REQUEST, [...owned, reason]);
    if (job === undefined) throw jobNotFound();
    // Neither asked for nor ended: it ended while this waited for its row, and is read as it stood before.
    if (job.cancel_requested_at !== null || isTerminal(job.status)) return job;
  }
}

async function sendCancel(
  { workflows, log }: CancelDependencies,
  jobId: string,
  reason: string | null,
): Promise<boolean> {
  try {
    return await workflows.cancel(jobId, reason);
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
