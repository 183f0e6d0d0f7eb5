/** The jobs that are measured. */
import type { LigandIdentity, SubmitJobRequest } from '../src/domain/requests.ts';

/** How many tasks a measured job has, how many tasks a shard has, and how long each task takes. */
export interface NoopJob {
  readonly tasks: number;
  readonly shardSize?: number;
  readonly seconds?: number;
}

/** Bytes that a task writes. */
export const OUTPUT_BYTES = 100;

/** A job of the tool that does nothing. */
export function noopJob({ tasks, shardSize = 1, seconds = 0 }: NoopJob): SubmitJobRequest {
  return {
    jobType: 'simulation',
    simulator: 'noop',
    taskCount: tasks,
    simulationParams: { dockingExecution: { shardSize } },
    metadata: { noop: { seconds, outputBytes: OUTPUT_BYTES } },
  };
}

/** A job whose library is in its request. */
export function libraryJob(ligands: number): SubmitJobRequest {
  const ligandLibrary = Array.from({ length: ligands }, (_, index): LigandIdentity => {
    const ligandId = `ligand-${String(index).padStart(6, '0')}`;
    return {
      ligandId,
      label: `Ligand ${index}`,
      source: { kind: 'smiles', smiles: 'CC(=O)Oc1ccccc1C(=O)O' },
      preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
    };
  });
  return {
    jobType: 'simulation',
    simulator: 'noop',
    simulationParams: { ligandLibrary },
    metadata: { noop: { seconds: 0 } },
  };
}
