// Docking requests as the API passes them on: validated, with the schema's defaults applied.
import type {
  ReferenceFormat,
  ArtifactReference,
  LigandIdentity,
  LigandSource,
  ReceptorPreparation,
  SimulationParams,
  SubmitJobRequest,
} from '../../../src/domain/requests.ts';
import type { PinnedFiles } from '../../../src/tools/tool.ts';

/** The bounds of the installation in these tests. */
export const LIMITS = { maxInstances: 4, slotsPerInstance: 2, vcpusPerInstance: 2 };

/** A reference to a stored file. */
export function artifact(format: ReferenceFormat, name: string = format): ArtifactReference {
  return {
    schema: 'svc.docking.artifact/v1',
    artifactId: `id-${name}`,
    storageKey: `accounts/a/uploads/${name}`,
    sha256: 'ab'.repeat(32),
    byteSize: 10,
    mediaType: 'text/plain',
    format,
  };
}

/** A ligand; by default phenol. */
export function ligand(
  ligandId: string,
  source: LigandSource = { kind: 'smiles', smiles: 'Oc1ccccc1' },
): LigandIdentity {
  return {
    ligandId,
    label: `the ${ligandId}`,
    source,
    preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
  };
}

/** A complete job: 1A28, one ligand, a box around its steroid. */
export function docking(
  params: Partial<SimulationParams> = {},
  more: Partial<SubmitJobRequest> = {},
): SubmitJobRequest {
  return {
    jobType: 'simulation',
    simulator: 'autodock-vina',
    simulationParams: {
      receptorPdbId: '1A28',
      ligandIdentity: ligand('phenol'),
      pocketLigand: 'STR',
      ...params,
    },
    ...more,
  };
}

/** A complete job whose receptor is prepared with the contract's defaults, except for the given fields. */
export function preparing(more: Partial<ReceptorPreparation> = {}): SubmitJobRequest {
  return docking({
    receptorPreparation: {
      protonationPh: 7.4,
      addHydrogens: true,
      protonationMethod: 'pdb2pqr-propka',
      forceField: 'AMBER',
      fixedProtonationStates: [],
      removeComponents: [],
      retainComponents: [],
      ...more,
    },
  });
}

/** A request with some of its parameters left out. */
export function without(request: SubmitJobRequest, ...names: (keyof SimulationParams)[]): SubmitJobRequest {
  const kept = Object.entries(request.simulationParams ?? {}).filter(
    ([name]) => !names.some((left) => left === name),
  );
  return { ...request, simulationParams: Object.fromEntries(kept) };
}

/** The pinned receptor. */
export const PINNED: PinnedFiles = new Map([
  ['receptor/source', { storageKey: 'accounts/a/uploads/receptor', sha256: 'cd'.repeat(32) }],
]);
