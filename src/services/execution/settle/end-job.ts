/**
 * An operator ends a job whose workflow cannot: the run is terminated where it stands, every instance is fenced, and the
 * execution is settled as cancelled, from the rows alone. The customer pays for what is verified. Whatever the run has left
 * behind changes nothing any more; its instances are ended by the next sweep. Ending an ended job changes nothing.
 */
import type { DataSource } from 'typeorm';

import { JobEntity } from '../../../../entities/jobs.ts';
import type { Job } from '../../../../entities/jobs.ts';
import type { JobWorkflows } from '../../../adapters/temporal/client.ts';
import { AppError } from '../../../domain/errors.ts';
import { isTerminal } from '../../../domain/job-state.ts';
import type { JobState } from '../../../domain/job-state.ts';
import { recordChange } from '../../audit/index.ts';
import type { Author } from '../../audit/index.ts';
import { inTransaction } from '../../transaction.ts';
import { giveBack } from '../capacity/capacity.ts';
import { fenceJob } from '../instances/instances.ts';
import { settleJob } from './settle.ts';

/** Result of ending a job. */
export interface EndedJob {
  readonly jobId: string;
  /** The state of the job before. */
  readonly before: JobState;
  readonly status: JobState;
  readonly chargedPence: number;
  readonly releasedPence: number;
  /** Whether a run of the workflow was there to be terminated. */
  readonly wasRunning: boolean;
}

/** The rows of jobs, and Temporal with their workflows. */
export interface EndJobDependencies {
  readonly db: DataSource;
  readonly workflows: Pick<JobWorkflows, 'terminate'>;
}

/** Late attempts of the terminated run count their changes of state on from the row; this end is later than all of them. */
const TRANSITIONS_AHEAD = 100;

/** Ends a job from its rows. @throws NOT_FOUND; CONFLICT when the job has ended. */
export async function endJob(
  deps: EndJobDependencies,
  { jobId, reason }: { readonly jobId: string; readonly reason: string },
  by: Author,
): Promise<EndedJob> {
  const { db } = deps;
  const job = await openJob(db, jobId);
  const { accountId, status: before, execution, transition } = job;
  // Termination is no part of the transaction, so the log says what is done before it is done.
  await inTransaction(db, (tx) =>
    recordChange(tx, by, {
      accountId,
      action: 'job.ended',
      subject: jobId,
      before: { status: before },
      after: { reason },
    }),
  );
  const wasRunning = await terminate(deps, jobId, reason);
  await fenceJob(db, jobId, 'ENDED');
  const settled = await settleJob(db, {
    jobId,
    execution,
    transition: transition + TRANSITIONS_AHEAD,
    to: 'CANCELLED',
    reason: null,
    pauseReason: null,
    faultIsOurs: true,
  });
  await giveBack(db, jobId, execution);
  const { chargedPence, releasedPence, to: status } = settled;
  return { jobId, before, status, chargedPence, releasedPence, wasRunning };
}

async function openJob(
  db: DataSource,
  jobId: string,
): Promise<Pick<Job, 'accountId' | 'status' | 'execution' | 'transition'>> {
  const job = await db.getRepository(JobEntity).findOne({
    select: { id: true, accountId: true, status: true, execution: true, transition: true },
    where: { id: jobId },
  });
  if (job === null) throw new AppError('NOT_FOUND', `There is no job ${jobId}.`);
  if (isTerminal(job.status))
    throw new AppError('VALIDATION_ERROR', `The job has ended already: ${job.status}.`);
  return job;
}

async function terminate({ workflows }: EndJobDependencies, jobId: string, reason: string): Promise<boolean> {
  try {
    return await workflows.terminate(jobId, reason);
  } catch (error) {
    throw new AppError('SERVICE_UNAVAILABLE', 'Temporal did not take the message. Repeat it.', {
      cause: error,
    });
  }
}
