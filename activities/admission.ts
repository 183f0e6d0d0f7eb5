import type { DataSource } from 'typeorm';
import type { AdmissionDecision, JobAdmission } from '../src/contracts/job.ts';
import { admitJob } from '../src/services/jobs/admission.ts';
import type { AdmissionRecords } from '../src/services/jobs/admission.ts';

/** The activities of the admission, as the job workflow calls them. */
export type AdmissionActivities = ReturnType<typeof createAdmissionActivities>;

/** Makes the activities of the admission; `records` are written with the jobs. */
export function createAdmissionActivities(db: DataSource, records: readonly AdmissionRecords[]) {
  return {
    /**
     * Admits a job: job row, hold and execution in one transaction, or a refusal that leaves nothing.
     * Idempotent by job id: a second run returns the stored decision.
     */
    admitJob(admission: JobAdmission, firstRunId: string): Promise<AdmissionDecision> {
      return admitJob(db, admission, firstRunId, records);
    },
  };
}
