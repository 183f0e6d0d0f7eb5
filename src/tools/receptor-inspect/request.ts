/** Makes the job of an inspection, and the key by which a report is found again, from the customer's request. */
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

import { invariantBroken } from '../../domain/invariant.ts';
import type { InspectReceptorRequest, SimulationParams, SubmitJobRequest } from '../../domain/requests.ts';
import { DEFAULT_PREPARATION, preparationOf } from '../autodock-vina/parameters.ts';
import { receptorSelection } from '../receptor.ts';
import { INSPECT_ID } from './index.ts';
import { INSPECTION_FORMAT } from './report.ts';

/** The job of an inspection. */
export function inspectionJob(wanted: InspectReceptorRequest): SubmitJobRequest {
  return { jobType: 'simulation', simulator: INSPECT_ID, simulationParams: paramsOf(wanted) };
}

/**
 * The key of a report: the same bytes, the same part of them, the same preparation and the same code give the same
 * report. A PDB entry is named by its id in the key, because its bytes are fetched only when the job runs.
 */
export function inspectionKey(wanted: InspectReceptorRequest, toolchainSha256: string): string {
  const params = paramsOf(wanted);
  const { source } = wanted;
  const text = canonicalize({
    source:
      source.kind === 'pdb'
        ? { pdbId: source.pdbId.toUpperCase() }
        : { sha256: source.artifact.sha256, format: source.artifact.format },
    selection: receptorSelection(params),
    preparation: preparationOf(params),
    toolchainSha256,
    schema: INSPECTION_FORMAT,
  });
  if (text === undefined) throw invariantBroken('an inspection has no canonical form');
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function paramsOf({
  source,
  assemblyId,
  model,
  chains,
  protonationPh,
}: InspectReceptorRequest): SimulationParams {
  return {
    ...(source.kind === 'pdb'
      ? { receptorPdbId: source.pdbId.toUpperCase() }
      : { receptorArtifact: source.artifact }),
    ...(assemblyId === undefined ? {} : { receptorAssemblyId: assemblyId }),
    ...(model === undefined ? {} : { receptorModel: model }),
    ...(chains === undefined ? {} : { receptorChains: [...chains] }),
    ...(protonationPh === undefined
      ? {}
      : {
          receptorPreparation: { ...DEFAULT_PREPARATION, protonationPh },
        }),
  };
}
