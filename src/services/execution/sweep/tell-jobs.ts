/** Messages to many jobs, of which some may not be taken: each job is tried, and one that fails holds up no other. */
import pLimit from 'p-limit';

import type { Job } from '../../../../entities/jobs.ts';
import type { JobMessage } from '../../../contracts/job.ts';
import type { Row } from '../../row.ts';
import type { TakeUp } from '../../job-records/take-up.ts';

const TOLD_AT_ONCE = 16;

/**
 * Tells each job; answers how many took the message. `untold` says what the others were not told.
 * @throws Error at the end where some could not be told, so that an operator sees that.
 */
export async function tellJobs(
  jobs: readonly Row<Job, 'id'>[],
  takeUp: TakeUp,
  message: JobMessage,
  untold: string,
): Promise<number> {
  const limit = pLimit(TOLD_AT_ONCE);
  const told = await Promise.allSettled(jobs.map(({ id }) => limit(() => takeUp(id, message))));
  const failed = told.filter((one) => one.status === 'rejected');
  if (failed.length > 0) throw new Error(`${String(failed.length)} ${untold}.`, { cause: failed[0]?.reason });
  return told.filter((one) => one.status === 'fulfilled' && one.value).length;
}
