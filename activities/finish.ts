import { checkCompleteness, type Completeness } from '../src/services/execution/settle/completeness.ts';
import { writeManifest } from '../src/services/execution/settle/manifest.ts';
import { noteIfFull } from '../src/services/full-store.ts';
import { beating } from './beating.ts';
import type { TaskDependencies } from './tasks.ts';

/** The activities at the end of a job's work, as the job workflow calls them. */
export type FinishActivities = ReturnType<typeof createFinishActivities>;

/** Makes the activities that prove a job complete and write the files that the control side makes. */
export function createFinishActivities({
  db,
  store,
  tools,
}: Pick<TaskDependencies, 'db' | 'store' | 'tools'>) {
  return {
    /**
     * Compares the job's artifacts with the objects that the store lists, by key and size. A task whose output is missing
     * or has another size is set back, and objects that are no output are removed. Idempotent.
     */
    checkCompleteness(request: { jobId: string; execution: number }): Promise<Completeness> {
      return beating(checkCompleteness({ db, store }, request.jobId));
    },

    /**
     * Writes the tool's own files and `manifest.json` over the verified outputs; removes objects that are no output unless
     * `isProven` says that the completeness check has done so. Idempotent: the same content has the same key.
     */
    writeManifest(request: { jobId: string; execution: number; isProven?: boolean }): Promise<void> {
      const { jobId, isProven = true } = request;
      return beating(noteIfFull(db, jobId, writeManifest({ db, store, tools }, { jobId, isProven })));
    },
  };
}
