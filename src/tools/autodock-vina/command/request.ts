/** The job that `dockyard dock` submits; for a field that is left out the service applies its default. */
import type { ArtifactReference, EstimateJobRequest, SubmitJobRequest } from '../../../client/types.ts';
import { receptorParams } from '../../receptor-file.ts';
import type { PlacedReceptor } from '../../receptor-file.ts';
import type { NamedLigand } from './ligands/index.ts';
import type { DepositedLigand, DockOptions } from './options.ts';

type SimulationParams = NonNullable<SubmitJobRequest['simulationParams']>;
type LigandIdentity = NonNullable<SimulationParams['ligandLibrary']>[number];

/** A ligand, with the stored file of its record when the ligand came as a record of a file. */
export interface PlacedLigand {
  readonly ligand: NamedLigand;
  readonly artifact: ArtifactReference | null;
}

/** Everything of a docking but its inputs; besides these settings the price depends on the number of ligands. */
export function protocolOf(options: DockOptions): SimulationParams {
  const { boxFromLigand, center, size, exhaustiveness, modes, scoring, seed, validate } = options;
  return {
    ...(options.chains === undefined ? {} : { receptorChains: [...options.chains] }),
    ...(options.assembly === undefined ? {} : { receptorAssemblyId: options.assembly }),
    ...(boxFromLigand === undefined ? {} : pocketOf(boxFromLigand)),
    ...(center === undefined ? {} : { boxCenterAngstrom: [...center] }),
    ...(size === undefined ? {} : { boxSizeAngstrom: typeof size === 'number' ? size : [...size] }),
    ...(exhaustiveness === undefined ? {} : { exhaustiveness }),
    ...(modes === undefined ? {} : { numModes: modes }),
    ...(scoring === undefined ? {} : { scoringFunction: scoring }),
    ...(seed === undefined ? {} : { seed }),
    ...preparationOf(options),
    ...(validate === undefined ? {} : { dockingValidation: { nativeReference: referenceOf(validate) } }),
  };
}

/** The request that asks for the price of the docking. */
export function dockEstimateOf(options: DockOptions, ligandCount: number): EstimateJobRequest {
  return {
    jobType: 'simulation',
    simulator: 'autodock-vina',
    taskCount: ligandCount,
    simulationParams: protocolOf(options),
  };
}

/** The request that submits the docking. */
export function dockRequestOf(
  options: DockOptions,
  receptor: PlacedReceptor,
  ligands: readonly PlacedLigand[],
): SubmitJobRequest {
  return {
    jobType: 'simulation',
    simulator: 'autodock-vina',
    simulationParams: {
      ...receptorParams(receptor),
      ...protocolOf(options),
      ligandLibrary: ligands.map((ligand) => identityOf(ligand, options)),
    },
  };
}

function identityOf({ ligand, artifact }: PlacedLigand, options: DockOptions): LigandIdentity {
  const { ligandId, label, structure } = ligand;
  const source: LigandIdentity['source'] | null =
    artifact !== null
      ? { kind: 'artifact', artifact }
      : structure.kind === 'smiles'
        ? { kind: 'smiles', smiles: structure.smiles }
        : null;
  if (source === null) throw new Error(`The record of ligand ${ligandId} was not stored.`);
  return { ligandId, label, source, ...ligandPreparationOf(options) };
}

function ligandPreparationOf({ ph, asGiven }: DockOptions): Pick<LigandIdentity, 'preparation'> {
  if (ph === undefined && asGiven === undefined) return {};
  return {
    preparation: {
      ...(ph === undefined ? {} : { protonationPh: ph }),
      ...(asGiven === undefined ? {} : { protonation: 'as_given' as const }),
    },
  };
}

function preparationOf(options: DockOptions): Pick<SimulationParams, 'receptorPreparation'> {
  const { ph, retain, repair, flexible } = options;
  if (ph === undefined && retain === undefined && repair === undefined && flexible === undefined) return {};
  return {
    receptorPreparation: {
      ...(ph === undefined ? {} : { protonationPh: ph }),
      ...(retain === undefined ? {} : { retainComponents: [...retain] }),
      ...(repair === undefined ? {} : { repair }),
      ...(flexible === undefined ? {} : { flexibleResidues: [...flexible] }),
    },
  };
}

function pocketOf({ componentId, chain, residue }: DepositedLigand): SimulationParams {
  return {
    pocketLigand: componentId,
    ...(chain === null ? {} : { pocketLigandChain: chain }),
    ...(residue === null ? {} : { pocketLigandResidue: residue }),
  };
}

type Reference = NonNullable<NonNullable<SimulationParams['dockingValidation']>['nativeReference']>;

function referenceOf({ componentId, chain, residue, insertionCode }: DepositedLigand): Reference {
  return {
    componentId,
    chain: chain ?? '',
    residue: residue ?? 0,
    ...(insertionCode === null ? {} : { insertionCode }),
  };
}
