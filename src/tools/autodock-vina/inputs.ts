/** The files of a docking job by name, and which of them each task reads. */
import type { WorkKind } from '../../contracts/job.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import type { SimulationParams, SubmitJobRequest } from '../../domain/requests.ts';
import { RECEPTOR_SOURCE, receptorStorageKey } from '../receptor.ts';
import type { NamedFile, NamedReference, ToolInputs } from '../tool.ts';
import { LIBRARY_FILE, recordReads } from '../ligand-library/reads.ts';
import { ligandsOf, preparationOf } from './parameters.ts';

/** Output of the preparation: the prepared receptor for people and viewers. */
export const PREPARED_PDB = 'receptor/prepared.pdb';
/** Output of the preparation: the prepared receptor for Vina. */
export const PREPARED_PDBQT = 'receptor/prepared.pdbqt';
/** The side chains that turn, which the PDBQT of the receptor is then without. */
export const PREPARED_FLEXIBLE = 'receptor/flexible.pdbqt';
/** Output of the preparation: what was done to the receptor, with the digests of the preparation. */
export const PREPARATION_REPORT = 'receptor/preparation.json';
/** Output of the preparation: the box into which every ligand is docked. */
export const BOX = 'box.json';
/** Output of the preparation: the ligand of the deposited structure that the control docks again. */
export const NATIVE_REFERENCE = 'control/native_reference.sdf';

const LIGAND_SOURCE = 'ligand/source';

/** The stored files of a job: the receptor unless it is fetched, and each ligand file once. */
export function dockingInputs(request: SubmitJobRequest): readonly NamedFile[] {
  return [...namesOf(request)].map(([storageKey, name]) => ({ storageKey, name }));
}

/** The artifacts that the parameters name by reference. */
export function* dockingReferences(params: SimulationParams): Generator<NamedReference> {
  if (params.receptorArtifact !== undefined)
    yield { path: 'receptorArtifact', reference: params.receptorArtifact };
  const prepared = params.dockingExecution?.preparedReceptor?.artifact;
  if (prepared !== undefined)
    yield { path: 'dockingExecution.preparedReceptor.artifact', reference: prepared };
  if (params.ligandIdentity?.source.kind === 'artifact') {
    yield { path: 'ligandIdentity.source.artifact', reference: params.ligandIdentity.source.artifact };
  }
  for (const [index, ligand] of (params.libraryUse?.records ?? params.ligandLibrary ?? []).entries()) {
    if (ligand.source.kind !== 'artifact') continue;
    yield { path: `ligandLibrary.${index}.source.artifact`, reference: ligand.source.artifact };
  }
}

/** The outputs of a preparation that serve a later job as well. */
export function reusableOutputs(request: SubmitJobRequest): readonly string[] {
  const flexible = isFlexible(request) ? [PREPARED_FLEXIBLE] : [];
  return [PREPARED_PDB, PREPARED_PDBQT, ...flexible, PREPARATION_REPORT];
}

/** The receptor as ligands are docked into it; side chains that turn are written as whole residues. */
function dockedReceptor(request: SubmitJobRequest): readonly string[] {
  return isFlexible(request) ? [PREPARED_PDBQT, PREPARED_FLEXIBLE, PREPARED_PDB] : [PREPARED_PDBQT];
}

/** Whether side chains of the receptor turn. */
export function isFlexible({ simulationParams }: SubmitJobRequest): boolean {
  return preparationOf(simulationParams ?? {}).flexibleResidues !== undefined;
}

/** Lists the inputs of one task or step. */
export function dockingTaskInputs(
  request: SubmitJobRequest,
  kind: WorkKind,
  ordinal: number,
): ReturnType<ToolInputs['taskInputs']> {
  switch (kind) {
    case 'prepare':
      return { inputs: [{ from: RECEPTOR_SOURCE, as: RECEPTOR_SOURCE }], prepared: [] };
    case 'control':
      return { inputs: [], prepared: [...dockedReceptor(request), BOX, NATIVE_REFERENCE] };
    case 'task': {
      const prepared = isDryRun(request) ? [] : [...dockedReceptor(request), BOX];
      return { ...ligandReads(request, ordinal), prepared };
    }
    case 'merge':
      throw invariantBroken('a docking job merges nothing');
    default:
      return kind satisfies never;
  }
}

/** Whether ligands are prepared and not docked. */
export function isDryRun({ simulationParams }: Pick<SubmitJobRequest, 'simulationParams'>): boolean {
  return simulationParams?.dryRun === true;
}

/** The file of one ligand, or its record's bytes of the library. */
function ligandReads(
  request: SubmitJobRequest,
  ordinal: number,
): Pick<ReturnType<ToolInputs['taskInputs']>, 'inputs' | 'ranges'> {
  const source = ligandsOf(request.simulationParams)[ordinal]?.source;
  if (source?.kind === 'record') return recordReads(source, ordinal, LIGAND_SOURCE);
  const from = source?.kind === 'artifact' ? namesOf(request).get(source.artifact.storageKey) : undefined;
  return { inputs: from === undefined ? [] : [{ from, as: LIGAND_SOURCE }] };
}

/** A library of 10,000 files is named once for a request, not once for each ligand. */
const known = new WeakMap<SubmitJobRequest, ReadonlyMap<string, string>>();

/** The name of each storage key; a file that several ligands share has the name of the first ligand. */
function namesOf(request: SubmitJobRequest): ReadonlyMap<string, string> {
  const before = known.get(request);
  if (before !== undefined) return before;
  const names = new Map<string, string>();
  const receptor = receptorStorageKey(request);
  if (receptor !== undefined) names.set(receptor, RECEPTOR_SOURCE);
  const library = request.simulationParams?.libraryUse?.file;
  if (library != null) names.set(library.storageKey, LIBRARY_FILE);
  for (const [ordinal, { source }] of ligandsOf(request.simulationParams).entries()) {
    if (source.kind !== 'artifact' || names.has(source.artifact.storageKey)) continue;
    names.set(source.artifact.storageKey, `ligands/${ordinal}`);
  }
  known.set(request, names);
  return names;
}
