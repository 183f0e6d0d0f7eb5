import type { DataSource } from 'typeorm';

import type { DockingProgress } from '../src/contracts/docking.ts';
import { requestCancel } from '../src/services/jobs/cancel.ts';
import type { CancelDependencies } from '../src/services/jobs/cancel.ts';
import { dockingProgress } from '../src/services/docking/progress.ts';

/** The activities of docking, as its workflows call them. */
export type DockingActivities = ReturnType<typeof createDockingActivities>;

/** The database with the jobs, and what a request to cancel needs. */
export interface DockingDependencies extends Omit<CancelDependencies, 'db'> {
  readonly db: DataSource;
}

/** Makes the activities of docking. */
export function createDockingActivities(deps: DockingDependencies) {
  return {
    /** Reads how the job of a run stands; a second run reads again. */
    lookAtDockingJob(run: { readonly jobId: string }): Promise<DockingProgress> {
      return dockingProgress(deps.db, run.jobId);
    },

    /** Asks the job of a run to stop. The first request counts, so a second run changes nothing; a job that has ended stays as it is. */
    async cancelDockingJob(run: {
      readonly jobId: string;
      readonly accountId: string;
      readonly reason: string;
    }): Promise<void> {
      await requestCancel(deps, run, run.reason);
    },
  };
}
