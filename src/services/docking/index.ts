/** Docking as records: experiments, runs and batches. */
export { cancelBatch, createBatch, getBatch, listBatches } from './batches.ts';
export {
  createExperiment,
  listExperiments,
  presentExperiment,
  readExperiment,
} from './experiments.ts';
export { retryFailed } from './retry.ts';
export { cancelRun, createRun, getRun, listRuns } from './runs.ts';
