/** Services of docking records whose answers are made up; the real services are tested in test/api. */
import type { Services } from '../../../api/services.ts';
import { AT, JOB_ID } from './fake-people.ts';
import type {
  DockingBatchResponse,
  DockingExperimentResponse,
  DockingExportResponse,
  DockingRunResponse,
} from '../../../src/domain/answers.ts';

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
    ...{
      status: 'RUNNING',
      engine: { name: 'noop', version: null, toolchain_sha256: null, worker_image_digest: null },
      seed_requested: 1,
      seed_effective: 1,
    },
    ...{
      reuse: 'verified',
      prepared_receptor: null,
      box: null,
      counts,
      best_affinity_kcal_mol: null,
      failure: null,
    },
    ...{ started_at: AT, finished_at: null },
  },
  jobId: JOB_ID,
  uiLinks: { studio: `/molecular/studio?dockingRun=${JOB_ID}` },
};

const batch: DockingBatchResponse = {
  batch: {
    ...{ ...owned, name: 'b', engine: 'noop', job_id: JOB_ID, run_id: JOB_ID, runs: 1, status: 'RUNNING' },
    ...{ receptor_artifact_id: null, receptor_identity: null, parameters: null, library_id: JOB_ID },
    ...{ library_sha256: 'a'.repeat(64), ligand_count: 2, shard_size: 1, reuse: 'verified' },
    ...{
      dry_run: false,
      stop_when: null,
      stopped_at: null,
      sample: false,
      ligand_preparation: null,
      warnings: [],
      counts,
      best_affinity_kcal_mol: null,
      failure: null,
    },
    ...{ started_at: AT, finished_at: null },
  },
  jobId: JOB_ID,
  uiLinks: { studio: `/molecular/studio?dockingBatch=${JOB_ID}` },
};

/** Each answer has one record. */
export const fakeDocking: Services['docking'] = {
  createExperiment: async () => experiment,
  listExperiments: async () => ({ experiments: [experiment], nextCursor: null }),
  experiment: async () => experiment,
  createRun: async () => run,
  listRuns: async () => ({ runs: [run], nextCursor: null }),
  run: async () => run,
  cancelRun: async () => ({ changed: true, cancelRequestedAt: AT, response: run }),
  createBatch: async () => batch,
  listBatches: async () => ({ batches: [batch], nextCursor: null }),
  batch: async () => batch,
  cancelBatch: async () => ({ changed: true, cancelRequestedAt: AT, response: batch }),
  retryFailed: async () => run,
};

const exported: DockingExportResponse = {
  export: {
    ...{ ...owned, batch_id: JOB_ID, run_id: null, format: 'csv', query: { sort: 'affinity' } },
    ...{ status: 'QUEUED', result_count: 1, complete: false, started_at: null, finished_at: null },
    ...{ artifact: null, beside: [], failure: null },
  },
  uiLinks: { studio: `/molecular/studio?dockingBatch=${JOB_ID}` },
};

/** Exports that are made up. */
export const fakeDockingExports: Services['dockingExports'] = {
  create: async () => exported,
  get: async () => exported,
};
