/**
 * An operator cancels a job in the place of its customer, by the service that customers use: complete outputs are kept and charged, the
 * rest of the hold is released. The audit log has the reason, and the customer reads it as the reason of the cancel.
 */
import { JobEntity } from '../../../entities/jobs.ts';
import { AppError } from '../../domain/errors.ts';
import { recordChange } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import { requestCancel } from '../jobs/cancel.ts';
import type { CancelDependencies, CancelResult } from '../jobs/cancel.ts';
import { inTransaction } from '../transaction.ts';

/** Cancels a job. @throws NOT_FOUND, SERVICE_UNAVAILABLE when Temporal did not take the message. */
export async function cancelForCustomer(
  deps: CancelDependencies,
  { jobId, reason }: { readonly jobId: string; readonly reason: string },
  by: Author,
): Promise<CancelResult> {
  const job = await deps.db
    .getRepository(JobEntity)
    .findOne({ select: { id: true, accountId: true, status: true }, where: { id: jobId } });
  if (job === null) throw new AppError('NOT_FOUND', `There is no job ${jobId}.`);
  const { accountId, status } = job;
  // The message is no part of the transaction, so the log says what was asked for before it is asked.
  await inTransaction(deps.db, (tx) =>
    recordChange(tx, by, {
      accountId,
      action: 'job.cancel-requested',
      subject: jobId,
      before: { status },
      after: { reason },
    }),
  );
  return requestCancel(deps, { jobId, accountId }, reason);
}
