/** Services of docking records whose answers are made up; the real services are tested in test/api. */
import type { Services } from '../../../api/services.ts';
import { AT, JOB_ID } from './fake-people.ts';
import type { Loose } from './samples.ts';
import type {
  Answers,
  DockingBatchResponse,
  DockingExperimentResponse,
  DockingExportResponse,
  DockingRunResponse,
} from '../../../src/domain/answers.ts';

type PoseRecord = Answers['getDockingPose']['pose'];
type ResultRecord = Answers['getDockingResult']['result'];

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

const uiLinks = { studio: `/molecular/studio?dockingResult=${JOB_ID}` };
const result: ResultRecord = {
  ...{ ...owned, run_id: JOB_ID, batch_id: null, job_id: JOB_ID, ligand_id: 'l', label: 'L' },
  ...{ status: 'SUCCEEDED', rank: 1, best_affinity_kcal_mol: -7, ligand_efficiency: 0.3 },
  ...{ size_independent_efficiency: 3, pose_count: 1, plausible_pose_count: 1, smiles_input: 'C' },
  ...{ smiles_docked: 'C', formal_charge: 0, heavy_atoms: 1, warnings: [], input_properties: {} },
  ...{ library_line: 1, validation: null, artifacts: [], failure: null, cached_from_result_id: null },
  ...{ molecular_weight: 16.043, log_p: 0.636, tpsa: 0, h_bond_donors: 0, h_bond_acceptors: 0 },
  ...{ rotatable_bonds: 0, qed: 0.36, alerts: [], scaffold: '', second_affinity_kcal_mol: -5 },
  ...{ second_rank: 1, key_interactions: [], cluster: 1, matched_modes: null, states: null },
};
const pose: PoseRecord = {
  ...{ ...owned, result_id: JOB_ID, mode: 1, affinity_kcal_mol: -7, rmsd_lower_angstrom: 0 },
  ...{ rmsd_upper_angstrom: 0, failed_checks: 0, interaction_count: 0, artifact: null },
  second_affinity_kcal_mol: -5,
};

/** Results that are made up, in pages that the caller makes. */
export function fakeDockingResults(
  page: (query: unknown, key: string) => Promise<Loose>,
): Services['dockingResults'] {
  return {
    list: async (_actor, _of, query) => ({ ...(await page(query, 'results')), final: true, uiLinks }),
    failures: async (_actor, _batchId, query) => ({
      ...{ ...(await page(query, 'failures')), counts: [], final: true, uiLinks },
    }),
    get: async () => ({ result, uiLinks }),
    poses: async () => ({ poses: [pose], uiLinks }),
    pose: async () => ({ pose, uiLinks }),
    interactions: async () => ({ interactions: [], computed: true, uiLinks }),
  };
}

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
