/**
 * A docking protocol is everything of a docking but its ligands: the receptor with its preparation, the box, the search and the
 * control docking. Jobs and the command line mean the same by the same protocol, because both go through the one mapping of this
 * file: a protocol that is written as parameters and read again is the same protocol. The mapping is pure.
 */
import type {
  ArtifactReference,
  DockingValidation,
  FixedProtonationState,
  NativeReference,
  ReceptorPreparation,
  ResidueReference,
  SimulationParams,
  WatersWithin,
} from '../../domain/requests.ts';
import { receptorSelection } from '../receptor.ts';
import type { ReceptorSelection } from '../receptor.ts';
import {
  boxRequestOf,
  DEFAULT_PREPARATION,
  DOCKING_DEFAULTS,
  nativeReferenceOf,
  preparationOf,
  searchOf,
} from './parameters.ts';
import type { BoxRequest, DockingParams, Preparation, Residue, SearchProtocol } from './parameters.ts';

/** A docking without its ligands, with every default applied. */
export interface DockingProtocol {
  readonly receptor: ReceptorSelection & {
    /** Null where the parameters do not name the receptor: a job may name it by its scene file, and a price needs none. */
    readonly source: ReceptorOrigin | null;
  };
  readonly preparation: StatedPreparation;
  readonly box: BoxRequest;
  readonly search: SeededSearch;
  readonly validation: {
    /** The deposited ligand that is docked again as a control, or null. */
    readonly nativeReference: (Omit<Residue, 'residueName'> & Pick<NativeReference, 'componentId'>) | null;
    /** In Å: how near to its deposited place the native ligand must come before any ligand is docked; null where that is not required. */
    readonly requiredRmsdAngstrom: number | null;
  };
}

/** The receptor by its entry or its stored file. */
export type ReceptorOrigin =
  | { readonly kind: 'pdb'; readonly pdbId: string }
  | { readonly kind: 'artifact'; readonly artifact: ArtifactReference };

/** A preparation as it was asked for: the waters are near to the box or to the ligand of the protocol itself. */
export type StatedPreparation = Omit<Preparation, 'retainWatersWithin'> & {
  readonly retainWatersWithin?: WatersWithin;
};

/**
 * A search with its seed. Null means that each job draws a seed of its own, as a job does whose seed is 0 or absent. The seed of
 * an experiment is never null: the contract has 1 to 2147483647 there, and 1 where nothing is said.
 */
export type SeededSearch = { readonly seed: number | null } & SearchProtocol;

/** The protocol of parameters; ligands, and how they are spread, are no part of a protocol. */
export function protocolOf(params: DockingParams): DockingProtocol {
  const { retainWatersWithin: _derived, ...preparation } = preparationOf(params);
  const waters = params.receptorPreparation?.retainWatersWithin;
  return {
    receptor: { source: originOf(params), ...receptorSelection(params) },
    preparation: { ...preparation, ...(waters === undefined ? {} : { retainWatersWithin: waters }) },
    box: boxRequestOf(params),
    search: { seed: params.seed || null, ...searchOf(params) },
    validation: {
      nativeReference: nativeReferenceOf(params),
      requiredRmsdAngstrom: params.dockingValidation?.requiredRmsdAngstrom ?? null,
    },
  };
}

/** The parameters of a protocol. A value that is the service's default is left out. */
export function simulationParamsOf(protocol: DockingProtocol): DockingParams {
  const { receptor, search, validation } = protocol;
  const { exhaustiveness, numModes, energyRangeKcalMol } = DOCKING_DEFAULTS;
  const receptorPreparation = sentPreparation(protocol.preparation);
  const dockingValidation = sentValidation(validation);
  return {
    ...sentOrigin(receptor.source),
    ...(receptor.assemblyId === '1' ? {} : { receptorAssemblyId: receptor.assemblyId }),
    ...(receptor.model === 1 ? {} : { receptorModel: receptor.model }),
    ...(receptor.chains === null ? {} : { receptorChains: [...receptor.chains] }),
    ...sentBox(protocol.box),
    ...(search.exhaustiveness === exhaustiveness ? {} : { exhaustiveness: search.exhaustiveness }),
    ...(search.numModes === numModes ? {} : { numModes: search.numModes }),
    ...(search.energyRangeKcalMol === energyRangeKcalMol
      ? {}
      : { energyRangeKcalMol: search.energyRangeKcalMol }),
    ...(search.scoringFunction === undefined ? {} : { scoringFunction: search.scoringFunction }),
    ...(search.seed === null ? {} : { seed: search.seed }),
    ...(Object.keys(receptorPreparation).length === 0 ? {} : { receptorPreparation }),
    ...(dockingValidation === null ? {} : { dockingValidation }),
  };
}

/** The control of a protocol as requests have it; null where there is none. */
export function sentValidation({
  nativeReference: native,
  requiredRmsdAngstrom,
}: DockingProtocol['validation']): DockingValidation | null {
  if (native === null && requiredRmsdAngstrom === null) return null;
  return {
    ...(native === null
      ? {}
      : { nativeReference: { componentId: native.componentId, ...sentPlace(native) } }),
    ...(requiredRmsdAngstrom === null ? {} : { requiredRmsdAngstrom }),
  };
}

function originOf({ receptorPdbId, receptorArtifact }: DockingParams): ReceptorOrigin | null {
  if (receptorPdbId !== undefined) return { kind: 'pdb', pdbId: receptorPdbId.toUpperCase() };
  return receptorArtifact === undefined ? null : { kind: 'artifact', artifact: receptorArtifact };
}

function sentOrigin(
  source: ReceptorOrigin | null,
): Pick<SimulationParams, 'receptorPdbId' | 'receptorArtifact'> {
  switch (source?.kind) {
    case undefined:
      return {};
    case 'pdb':
      return { receptorPdbId: source.pdbId };
    case 'artifact':
      return { receptorArtifact: source.artifact };
    default:
      return source satisfies never;
  }
}

function sentBox({
  centerAngstrom,
  sizeAngstrom,
  ligand,
  residues,
}: BoxRequest): Pick<
  SimulationParams,
  | 'boxCenterAngstrom'
  | 'boxSizeAngstrom'
  | 'pocketLigand'
  | 'pocketLigandChain'
  | 'pocketLigandResidue'
  | 'pocketLigandInsertionCode'
  | 'pocketResidues'
> {
  return {
    ...(centerAngstrom === null ? {} : { boxCenterAngstrom: [...centerAngstrom] }),
    ...(sizeAngstrom === null ? {} : { boxSizeAngstrom: [...sizeAngstrom] }),
    ...(ligand === null ? {} : { pocketLigand: ligand.componentId }),
    ...(ligand === null || ligand.chain === null ? {} : { pocketLigandChain: ligand.chain }),
    ...(ligand === null || ligand.residue === null ? {} : { pocketLigandResidue: ligand.residue }),
    ...(ligand?.insertionCode === undefined ? {} : { pocketLigandInsertionCode: ligand.insertionCode }),
    ...(residues === null ? {} : { pocketResidues: residues.map(sentResidue) }),
  };
}

/** The fields of a preparation that differ from the default. */
export function sentPreparation(preparation: StatedPreparation): Partial<ReceptorPreparation> {
  const { protonationPh, protonationMethod, forceField, fixedProtonationStates } = preparation;
  const { removeComponents, retainComponents, removeResidues, retainResidues } = preparation;
  const { retainWatersWithin, flexibleResidues, repair } = preparation;
  return {
    ...(protonationPh === DEFAULT_PREPARATION.protonationPh ? {} : { protonationPh }),
    ...(protonationMethod === DEFAULT_PREPARATION.protonationMethod ? {} : { protonationMethod }),
    ...(forceField === DEFAULT_PREPARATION.forceField ? {} : { forceField }),
    ...(fixedProtonationStates.length === 0
      ? {}
      : { fixedProtonationStates: fixedProtonationStates.map(sentState) }),
    ...(removeComponents.length === 0 ? {} : { removeComponents: [...removeComponents] }),
    ...(retainComponents.length === 0 ? {} : { retainComponents: [...retainComponents] }),
    ...(removeResidues === undefined ? {} : { removeResidues: removeResidues.map(sentResidue) }),
    ...(retainResidues === undefined ? {} : { retainResidues: retainResidues.map(sentResidue) }),
    ...(retainWatersWithin === undefined ? {} : { retainWatersWithin }),
    ...(flexibleResidues === undefined
      ? {}
      : {
          flexibleResidues: flexibleResidues.map(({ residueName, ...residue }) => ({
            ...sentPlace(residue),
            ...(residueName === undefined ? {} : { residueName }),
          })),
        }),
    ...(repair === undefined ? {} : { repair }),
  };
}

function sentState({
  residueName,
  state,
  reason,
  ...residue
}: Preparation['fixedProtonationStates'][number]): FixedProtonationState {
  return { ...sentPlace(residue), residueName, state, ...(reason === null ? {} : { reason }) };
}

/** A residue as requests have it. */
export function sentResidue({ residueName, ...place }: Residue): ResidueReference {
  return { ...(residueName === undefined ? {} : { residueName }), ...sentPlace(place) };
}

function sentPlace({
  chain,
  residue,
  insertionCode,
}: Omit<Residue, 'residueName'>): Omit<ResidueReference, 'residueName'> {
  return {
    ...(chain === null ? {} : { chain }),
    ...(residue === null ? {} : { residue }),
    ...(insertionCode === '' ? {} : { insertionCode }),
  };
}
