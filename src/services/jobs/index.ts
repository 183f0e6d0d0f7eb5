/** Operations on jobs, as the API calls them: `api/services.ts` has its types from here. */
import { bound } from '../bound.ts';
import { jobBill } from './bill.ts';
import { cancelJob } from './cancel.ts';
import type { CancelDependencies } from './cancel.ts';
import { createEstimate } from './estimate.ts';
import type { EstimateDependencies } from './estimate.ts';
import { listJobs, summarizeJobs } from './list.ts';
import { readTaskLog } from './log.ts';
import { listOutputs } from './outputs.ts';
import { listRecoveries } from './recoveries.ts';
import { resumeJob } from './resume.ts';
import type { ResumeDependencies } from './resume.ts';
import { sentRequest } from './sent-request.ts';
import { jobStatus } from './status.ts';
import type { StatusDependencies } from './status.ts';
import { createSubmit } from './submit.ts';
import type { SubmitDependencies } from './submit.ts';
import { listTasks } from './tasks.ts';

/** Everything that operations on jobs need. */
export type JobDependencies = SubmitDependencies &
  EstimateDependencies &
  StatusDependencies &
  ResumeDependencies &
  CancelDependencies;

/** Makes the operations on jobs. Each one that names a job throws NOT_FOUND for a job that the account does not have. */
export function createJobs(deps: JobDependencies) {
  const ofJobs = bound(deps);
  const read = bound(deps.db);
  return {
    submit: createSubmit(deps),
    estimate: createEstimate(deps),
    list: bound({ db: deps.db, canonicalSimulator: (name: string) => deps.tools.canonical(name) })(listJobs),
    summary: read(summarizeJobs),
    status: ofJobs(jobStatus),
    request: ofJobs(sentRequest),
    bill: read(jobBill),
    tasks: read(listTasks),
    recoveries: read(listRecoveries),
    outputs: ofJobs(listOutputs),
    taskLog: ofJobs(readTaskLog),
    cancel: ofJobs(cancelJob),
    resume: ofJobs(resumeJob),
  };
}
