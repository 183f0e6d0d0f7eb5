/** The services of docking records, composed over those of jobs. */
import type { DockingServices } from '../../../api/docking-services.ts';
import {
  cancelBatch,
  cancelRun,
  createBatch,
  createExperiment,
  createRun,
  getBatch,
  getRun,
  listBatches,
  listExperiments,
  listRuns,
  presentExperiment,
  readExperiment,
  retryFailed,
} from '../../services/docking/index.ts';
import type { CancelDependencies } from '../../services/jobs/cancel.ts';
import { createLibraries } from '../../services/libraries/libraries.ts';

type Parts = Omit<Parameters<typeof createBatch>[0], 'libraries'> &
  Parameters<typeof retryFailed>[0] &
  CancelDependencies;

/** Makes the services. */
export function openDockingServices(parts: Omit<Parts, 'libraries'>): DockingServices {
  const deps = { ...parts, libraries: createLibraries(parts) };
  return {
    createExperiment: (actor, command) => createExperiment(deps, actor, command),
    listExperiments: (actor, query) => listExperiments(deps, actor, query),
    experiment: async (actor, id) => presentExperiment(deps.tools, await readExperiment(deps.db, actor, id)),
    createRun: (actor, experimentId, command) => createRun(deps, actor, experimentId, command),
    listRuns: (actor, experimentId, query) => listRuns(deps, actor, experimentId, query),
    run: (actor, runId) => getRun(deps, actor, runId),
    cancelRun: (actor, runId, body) => cancelRun(deps, actor, runId, body),
    createBatch: (actor, command) => createBatch(deps, actor, command),
    listBatches: (actor, query) => listBatches(deps, actor, query),
    batch: (actor, batchId) => getBatch(deps, actor, batchId),
    cancelBatch: (actor, batchId, body) => cancelBatch(deps, actor, batchId, body),
    retryFailed: (actor, batchId, command) => retryFailed(deps, actor, batchId, command),
  };
}
