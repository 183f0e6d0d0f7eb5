/** The job that `dockyard dock` submits; for a field that is left out the service applies its default. */
import type { EstimateJobRequest, SubmitJobRequest } from '../../../client/types.ts';
import type { PlacedReceptor } from '../../receptor-file.ts';
import { heavyAtomsOf } from '../../ligand-library/heavy-atoms.ts';
import { placeOf, residueOf } from '../parameters.ts';
import type { DockingParams } from '../parameters.ts';
import { protocolOf, simulationParamsOf } from '../protocol.ts';
import type { DockingProtocol, StatedPreparation } from '../protocol.ts';
import type { NamedLigand, PlacedLigand } from './inputs.ts';
import type { ProtocolOptions } from './options.ts';
import { allParts } from './residues.ts';
import type { DepositedLigand } from './residues.ts';

/** A carbon chain of so many atoms has the largest price. */
const MOST_PRICED_ATOMS = 100;

type SimulationParams = NonNullable<SubmitJobRequest['simulationParams']>;
type LigandIdentity = NonNullable<SimulationParams['ligandLibrary']>[number];

/** The protocol that the options mean, and the receptor; null stands for a receptor that the price does not ask for. */
export function dockProtocolOf(options: ProtocolOptions, receptor: PlacedReceptor | null): DockingProtocol {
  const base = protocolOf({});
  const { boxFromLigand, boxFromResidues, center, size, exhaustiveness, modes, validate } = options;
  const { scoring, energyRange } = options;
  return {
    receptor: {
      source: receptor,
      assemblyId: options.assembly ?? base.receptor.assemblyId,
      model: options.model ?? base.receptor.model,
      chains: options.chains ?? null,
    },
    preparation: preparationOf(options, base.preparation),
    box: {
      centerAngstrom: center ?? null,
      sizeAngstrom: typeof size === 'number' ? [size, size, size] : (size ?? null),
      ligand: boxFromLigand === undefined ? null : pocketOf(boxFromLigand),
      residues: boxFromResidues?.map(residueOf) ?? null,
    },
    search: {
      ...base.search,
      seed: options.seed || null,
      ...(exhaustiveness === undefined ? {} : { exhaustiveness }),
      ...(modes === undefined ? {} : { numModes: modes }),
      ...(energyRange === undefined ? {} : { energyRangeKcalMol: energyRange }),
      ...(scoring === 'vinardo' ? { scoringFunction: scoring } : {}),
    },
    validation: {
      nativeReference: validate === undefined ? null : referenceOf(validate),
      requiredRmsdAngstrom: options.requireControl ?? null,
    },
  };
}

/** The request that asks for the price of a docking of ligands of these sizes in heavy atoms; null is a size that only the service will know. */
export function dockEstimateOf(
  options: ProtocolOptions,
  sizes: readonly (number | null)[],
): EstimateJobRequest {
  const { states } = options;
  const { preparation } = ligandPreparationOf(states === undefined ? {} : { states });
  return priceRequestOf(simulationParamsOf(dockProtocolOf(options, null)), sizes, preparation);
}

/**
 * A price depends on a ligand by the number of its heavy atoms and by its states alone, so a chain of carbon stands for a ligand of its
 * size.
 */
export function priceRequestOf(
  params: DockingParams,
  sizes: readonly (number | null)[],
  preparation?: LigandIdentity['preparation'],
): EstimateJobRequest {
  const ligandLibrary = sizes.map((atoms, index) => ({
    ligandId: String(index + 1),
    label: 'size',
    ...(preparation === undefined ? {} : { preparation }),
    source:
      atoms === null
        ? { kind: 'ccd' as const, componentId: 'UNK' }
        : { kind: 'smiles' as const, smiles: 'C'.repeat(Math.min(Math.max(1, atoms), MOST_PRICED_ATOMS)) },
  }));
  return {
    jobType: 'simulation',
    simulator: 'autodock-vina',
    simulationParams: { ...params, ligandLibrary },
  };
}

/** The sizes of ligands as a job of them is priced: a record is stored as a file, whose size the service does not look at. */
export function sizesOf(ligands: readonly NamedLigand[]): readonly (number | null)[] {
  return ligands.map(({ structure }) =>
    structure.kind === 'smiles' ? heavyAtomsOf(structure.smiles) : null,
  );
}

/** The request that submits the docking. */
export function dockRequestOf(
  options: ProtocolOptions,
  receptor: PlacedReceptor,
  ligands: readonly PlacedLigand[],
): SubmitJobRequest {
  return {
    jobType: 'simulation',
    simulator: 'autodock-vina',
    simulationParams: {
      ...simulationParamsOf(dockProtocolOf(options, receptor)),
      ligandLibrary: ligands.map((ligand) => identityOf(ligand, options)),
    },
  };
}

function identityOf({ ligand, artifact }: PlacedLigand, options: ProtocolOptions): LigandIdentity {
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

/** Reads each ligand's preparation from the options; empty where they do not say. */
export function ligandPreparationOf({
  ph,
  asGiven,
  tautomer,
  states,
}: Pick<ProtocolOptions, 'ph' | 'asGiven' | 'tautomer' | 'states'>): Pick<LigandIdentity, 'preparation'> {
  if ([ph, asGiven, tautomer, states].every((one) => one === undefined)) return {};
  return {
    preparation: {
      ...(ph === undefined ? {} : { protonationPh: ph }),
      ...(asGiven === undefined ? {} : { protonation: 'as_given' as const }),
      ...(tautomer === undefined ? {} : { tautomer }),
      ...(states === undefined ? {} : { states }),
    },
  };
}

function preparationOf(options: ProtocolOptions, base: StatedPreparation): StatedPreparation {
  const { ph, retainWaters, method, repair, flexible, fix = [] } = options;
  const [retained, removed] = [allParts(options.retain), allParts(options.remove)];
  return {
    ...base,
    ...(ph === undefined ? {} : { protonationPh: ph }),
    ...(method === undefined ? {} : { protonationMethod: method }),
    fixedProtonationStates: fix.map((state) => ({ ...state, ...placeOf(state), reason: null })),
    retainComponents: retained.components,
    removeComponents: removed.components,
    ...(retained.residues.length === 0 ? {} : { retainResidues: retained.residues.map(residueOf) }),
    ...(removed.residues.length === 0 ? {} : { removeResidues: removed.residues.map(residueOf) }),
    ...(retainWaters === undefined ? {} : { retainWatersWithin: retainWaters }),
    ...(repair === undefined || repair === 'far' ? {} : { repair }),
    ...(flexible === undefined
      ? {}
      : { flexibleResidues: flexible.map((one) => ({ ...one, ...placeOf(one) })) }),
  };
}

function pocketOf({
  componentId,
  chain,
  residue,
  insertionCode,
}: DepositedLigand): DockingProtocol['box']['ligand'] {
  return { componentId, chain, residue, ...(insertionCode === null ? {} : { insertionCode }) };
}

function referenceOf({
  componentId,
  chain,
  residue,
  insertionCode,
}: DepositedLigand): DockingProtocol['validation']['nativeReference'] {
  return { componentId, chain, residue, insertionCode: insertionCode ?? '' };
}
