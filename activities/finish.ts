import type { Diversity } from '../src/adapters/chemistry/chemistry.ts';
import { clusterBatch } from '../src/services/docking/clusters.ts';
import { checkCompleteness, type Completeness } from '../src/services/execution/settle/completeness.ts';
import { writeManifest } from '../src/services/execution/settle/manifest.ts';
import { noteIfFull } from '../src/services/full-store.ts';
import { beating } from './beating.ts';
import type { TaskDependencies } from './tasks.ts';

/** The activities at the end of a job's work, as the job workflow calls them. */
export type FinishActivities = ReturnType<typeof createFinishActivities>;

/** Tools of the finish of a batch: the clustering that compares its molecules. */
export interface FinishDependencies {
  readonly diversity: Pick<Diversity, 'clusters'>;
}

/** Makes the activities that prove a job complete and write the files that the control side makes. */
export function createFinishActivities({
  db,
  store,
  tools,
  recorders,
  diversity,
}: Pick<TaskDependencies, 'db' | 'store' | 'tools' | 'recorders'> & FinishDependencies) {
  return {
    /**
     * Compares the job's artifacts with the objects that the store lists, by key and size. A task whose output is missing
     * or has another size is set back, and objects that are no output are removed. Idempotent.
     */
    checkCompleteness(request: { jobId: string; execution: number }): Promise<Completeness> {
      return beating(checkCompleteness({ db, store, recorders }, request.jobId));
    },

    /**
     * Writes the tool's own files and `manifest.json` over the verified outputs; removes objects that are no output unless
     * `isProven` says that the completeness check has done so. Then tells the clusters of a batch. Idempotent: the same content has
     * the same key, and the same ligands have the same clusters.
     */
    writeManifest(request: { jobId: string; execution: number; isProven?: boolean }): Promise<void> {
      const { jobId, isProven = true } = request;
      const write = async (): Promise<void> => {
        await writeManifest({ db, store, tools, recorders }, { jobId, isProven });
        await clusterBatch(db, diversity, jobId);
      };
      return beating(noteIfFull(db, jobId, write()));
    },
  };
}
