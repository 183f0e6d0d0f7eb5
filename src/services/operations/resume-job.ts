/**
 * An operator resumes a job in the place of its customer, by the service that customers use: the same price, the same hold of
 * the customer's credits, the same refusals. No key asks, so no key's limit counts. The audit log has the reason.
 */
import { AppError } from '../../domain/errors.ts';
import type { SessionActor } from '../../domain/access.ts';
import type { Account } from '../../../entities/accounts.ts';
import type { Job } from '../../../entities/jobs.ts';
import { recordChange } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import { resumeJob } from '../jobs/resume.ts';
import type { ResumeDependencies } from '../jobs/resume.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { ResumeJobResponse } from '../../domain/answers.ts';

interface OwnerRow extends Row<Job, 'accountId' | 'userId' | 'status' | 'execution'> {
  readonly plan: Account['plan'];
}

const OWNER = `
  select j.account_id, j.user_id, j.status, j.execution, a.plan
  from jobs j join accounts a on a.id = j.account_id where j.id = $1`;

/** Resumes a job. @throws NOT_FOUND, JOB_NOT_RESUMABLE, and what a hold is refused for. */
export async function resumeForCustomer(
  deps: ResumeDependencies,
  { jobId, reason }: { readonly jobId: string; readonly reason: string },
  by: Author,
): Promise<ResumeJobResponse> {
  const [job] = await deps.db.query<OwnerRow[]>(OWNER, [jobId]);
  if (job === undefined) throw new AppError('NOT_FOUND', `There is no job ${jobId}.`);
  const { account_id: accountId, status, execution } = job;
  // The resume has a transaction of its own, so the log says what was asked for before the resume is made or refused.
  await inTransaction(deps.db, (tx) =>
    recordChange(tx, by, {
      accountId,
      action: 'job.resume-requested',
      subject: jobId,
      before: { status, execution },
      after: { reason },
    }),
  );
  return resumeJob(deps, inThePlaceOf(job, jobId), jobId, { resumedSince: null });
}

/** The customer as a person who has signed in; the session exists nowhere else. */
function inThePlaceOf(
  { account_id: accountId, user_id: userId, plan }: OwnerRow,
  jobId: string,
): SessionActor {
  return { kind: 'session', sessionId: jobId, accountId, userId, plan, role: 'owner', isRecent: true };
}
