/** Docking as records: experiments, runs and batches. */
import { bound } from '../bound.ts';
import type { CancelDependencies } from '../jobs/cancel.ts';
import { createLibraries } from '../libraries/libraries.ts';
import { cancelBatch, createBatch, getBatch, listBatches } from './batches.ts';
import { createExperiment, getExperiment, listExperiments } from './experiments.ts';
import { retryFailed } from './retry.ts';
import { cancelRun, createRun, getRun, listRuns } from './runs.ts';

/** Everything that operations on experiments, runs and batches need. */
export type DockingDependencies = Omit<Parameters<typeof createBatch>[0], 'libraries'> &
  Parameters<typeof retryFailed>[0] &
  CancelDependencies;

/** Makes the operations on experiments, runs and batches; each one that names a record throws NOT_FOUND for one of another account. */
export function createDocking(deps: Omit<DockingDependencies, 'libraries'>) {
  const of = bound({ ...deps, libraries: createLibraries(deps) });
  return {
    createExperiment: of(createExperiment),
    listExperiments: of(listExperiments),
    experiment: of(getExperiment),
    createRun: of(createRun),
    listRuns: of(listRuns),
    run: of(getRun),
    cancelRun: of(cancelRun),
    createBatch: of(createBatch),
    listBatches: of(listBatches),
    batch: of(getBatch),
    cancelBatch: of(cancelBatch),
    retryFailed: of(retryFailed),
  };
}
