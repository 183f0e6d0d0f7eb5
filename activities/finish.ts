import { checkCompleteness, type Completeness } from '../src/services/execution/settle/completeness.ts';
import { writeManifest } from '../src/services/execution/settle/manifest.ts';
import { beating } from './beating.ts';
import type { TaskDependencies } from './tasks.ts';

/** The end of a job's work. */
export type FinishActivities = ReturnType<typeof createFinishActivities>;

/** Activities that prove a job complete and write what is made on the control side. */
export function createFinishActivities({
  db,
  store,
  tools,
}: Pick<TaskDependencies, 'db' | 'store' | 'tools'>) {
  return {
    /**
     * Compares the job's artifacts with what the store lists, by key and size. What is missing or of another size
     * sets its task back; strays are removed. Idempotent.
     */
    checkCompleteness(request: { jobId: string; execution: number }): Promise<Completeness> {
      return beating(checkCompleteness({ db, store }, request.jobId));
    },

    /**
     * Writes the tool's own files and `manifest.json` of what is verified; removes strays unless `isProven` says that
     * the completeness check did. Idempotent: the same content has the same key.
     */
    writeManifest(request: { jobId: string; execution: number; isProven?: boolean }): Promise<void> {
      const { jobId, isProven = true } = request;
      return beating(writeManifest({ db, store, tools }, { jobId, isProven }));
    },
  };
}
