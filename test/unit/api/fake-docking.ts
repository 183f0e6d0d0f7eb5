/** Services of docking records whose answers are made up; the real services are tested in test/api. */
import type { DockingServices } from '../../../api/docking-services.ts';
import type {
  DockingBatchResponse,
  DockingExperimentResponse,
  DockingRunResponse,
} from '../../../src/domain/docking-records.ts';
import { AT, JOB_ID } from './fake-people.ts';

const counts = { total: 2, succeeded: 1, failed: 0, running: 1, pending: 0, cancelled: 0 };
const owned = { id: JOB_ID, user_id: JOB_ID, created_at: AT };

const experiment: DockingExperimentResponse = {
  experiment: {
    ...{ ...owned, name: 'e', receptor_artifact_id: null, receptor_identity: {} },
    ...{ ligand_artifact_id: null, ligand_identity: {}, parameters: {} },
  },
  uiLinks: { studio: `/molecular/studio?dockingExperiment=${JOB_ID}` },
};

const run: DockingRunResponse = {
  run: {
    ...{ ...owned, experiment_id: JOB_ID, batch_id: null, number: 1, job_id: JOB_ID, request_id: 'r' },
    ...{ status: 'RUNNING', engine: { name: 'noop' }, seed_requested: 1, seed_effective: 1 },
    ...{ prepared_receptor: null, box: null, counts, best_affinity_kcal_mol: null, failure: null },
    ...{ started_at: AT, finished_at: null },
  },
  jobId: JOB_ID,
  uiLinks: { studio: `/molecular/studio?dockingRun=${JOB_ID}` },
};

const batch: DockingBatchResponse = {
  batch: {
    ...{ ...owned, name: 'b', engine: 'noop', job_id: JOB_ID, run_id: JOB_ID, runs: 1, status: 'RUNNING' },
    ...{ receptor_artifact_id: null, receptor_identity: null, parameters: null, library_id: JOB_ID },
    ...{ library_sha256: 'a'.repeat(64), ligand_count: 2, shard_size: 1, top_n: null, reuse: 'verified' },
    ...{ stop_when: null, sample: false, dry_run: false, counts, best_affinity_kcal_mol: null },
    ...{ started_at: AT, finished_at: null },
  },
  jobId: JOB_ID,
  uiLinks: { studio: `/molecular/studio?dockingBatch=${JOB_ID}` },
};

/** Each answer has one record. */
export const fakeDocking: DockingServices = {
  createExperiment: async () => experiment,
  listExperiments: async () => ({ experiments: [experiment], nextCursor: null }),
  experiment: async () => experiment,
  createRun: async () => run,
  listRuns: async () => ({ runs: [run], nextCursor: null }),
  run: async () => run,
  cancelRun: async () => ({ changed: true, response: run }),
  createBatch: async () => batch,
  listBatches: async () => ({ batches: [batch], nextCursor: null }),
  batch: async () => batch,
  cancelBatch: async () => ({ changed: true, response: batch }),
  retryFailed: async () => run,
};
