/**
 * A docking request with every default applied, in one form for each meaning: lists whose order means nothing are
 * sorted, so that two spellings of the same protocol share one prepared receptor. The functions are pure; checks.ts
 * refuses contradictions.
 */
import type {
  FixedProtonationState,
  FlexibleResidue,
  JobLigand,
  NativeReference,
  ReceptorPreparation,
  Repair,
  ResidueReference,
  SimulationParams,
  WatersWithin,
} from '../../domain/requests.ts';
import { compareText, sortedSet } from '../order.ts';

/** A residue as it is named; chain and number that are not told are null, and no insertion code is an empty one. */
export interface Residue {
  /** Left out where no name was sent, so that a residue that is named by its place keeps its digest. */
  readonly residueName?: string;
  readonly chain: string | null;
  readonly residue: number | null;
  readonly insertionCode: string;
}

/** Parameters whose preparation may say less than everything: what is left out has its default. */
export type DockingParams = Omit<SimulationParams, 'receptorPreparation'> & {
  readonly receptorPreparation?: Partial<ReceptorPreparation>;
};

/** Preparation of the receptor. */
export interface Preparation {
  readonly protonationPh: number;
  readonly protonationMethod: ReceptorPreparation['protonationMethod'];
  readonly forceField: ReceptorPreparation['forceField'];
  readonly fixedProtonationStates: readonly (Residue &
    Pick<FixedProtonationState, 'residueName' | 'state'> & { readonly reason: string | null })[];
  readonly removeComponents: readonly string[];
  readonly retainComponents: readonly string[];
  /** Absent, as the three that follow, where nothing was sent: a preparation without them keeps its digest. */
  readonly removeResidues?: readonly Residue[];
  readonly retainResidues?: readonly Residue[];
  readonly retainWatersWithin?: WatersRule;
  readonly flexibleResidues?: readonly TurningResidue[];
  /** Left out for the default, so that a request without it keeps its digest. */
  readonly repair?: Exclude<Repair, 'far'>;
}

/** A residue whose side chain turns, with its name where it was sent. */
export type TurningResidue = Omit<Residue, 'residueName'> & Pick<FlexibleResidue, 'residueName'>;

/** Waters that stay, with what their distance is from: another box or ligand makes another receptor. */
export type WatersRule = { readonly angstrom: number } & (
  | { readonly of: 'box'; readonly box: BoxRequest }
  | { readonly of: 'ligand'; readonly ligand: NamedLigand }
);

/** The ligand of the file that a job is about: the pocket ligand, else the native reference. */
export type NamedLigand =
  | NonNullable<BoxRequest['ligand']>
  | (Residue & Pick<NativeReference, 'componentId'>)
  | null;

/** Three numbers, along x, y and z. */
export type Vector = readonly [number, number, number];

/** The facts from which the box is made. */
export interface BoxRequest {
  readonly centerAngstrom: Vector | null;
  readonly sizeAngstrom: Vector | null;
  readonly ligand: {
    readonly componentId: string;
    readonly chain: string | null;
    readonly residue: number | null;
    /** Left out for none, so that a box without one keeps its digest. */
    readonly insertionCode?: string;
  } | null;
  readonly residues: readonly Residue[] | null;
}

/** Protocol of the search for a ligand's poses. */
export interface SearchProtocol {
  readonly exhaustiveness: number;
  readonly numModes: number;
  readonly energyRangeKcalMol: number;
  /** Missing for Vina's own function, so that a search without the choice keeps its specification. */
  readonly scoringFunction?: 'vinardo';
}

/**
 * Every simulation parameter that docking reads. `cpuThreads` is not among them, because each ligand runs on one core.
 */
export const DOCKING_PARAMETERS = [
  'receptorPdbId',
  'receptorArtifact',
  'receptorAssemblyId',
  'receptorModel',
  'receptorChains',
  'receptorPreparation',
  'ligandIdentity',
  'ligandLibrary',
  'dockingValidation',
  'dockingExecution',
  'pocketLigand',
  'pocketLigandChain',
  'pocketLigandResidue',
  'pocketLigandInsertionCode',
  'pocketResidues',
  'boxCenterAngstrom',
  'boxSizeAngstrom',
  'exhaustiveness',
  'numModes',
  'energyRangeKcalMol',
  'scoringFunction',
  'seed',
  'estimatedRuntimeSeconds',
] as const satisfies readonly (keyof SimulationParams)[];

/** The preparation of a receptor where the request says nothing. */
export const DEFAULT_PREPARATION: ReceptorPreparation = {
  protonationPh: 7.4,
  addHydrogens: true,
  protonationMethod: 'pdb2pqr-propka',
  forceField: 'AMBER',
  fixedProtonationStates: [],
  removeComponents: [],
  retainComponents: [],
};

/** The search where the request says nothing. */
export const DOCKING_DEFAULTS = {
  exhaustiveness: 8,
  numModes: 9,
  energyRangeKcalMol: 3,
  scoringFunction: 'vina',
} as const;

/** The ligands of a request or of its library, in their order. */
export function ligandsOf(params: SimulationParams | undefined): readonly JobLigand[] {
  return (
    params?.libraryUse?.records ??
    params?.ligandLibrary ??
    (params?.ligandIdentity === undefined ? [] : [params.ligandIdentity])
  );
}

/** The preparation with its defaults. */
export function preparationOf(params: DockingParams): Preparation {
  const sent: ReceptorPreparation = { ...DEFAULT_PREPARATION, ...params.receptorPreparation };
  const removeResidues = residueSet(sent.removeResidues);
  const retainResidues = residueSet(sent.retainResidues);
  return {
    protonationPh: sent.protonationPh,
    protonationMethod: sent.protonationMethod,
    forceField: sent.forceField,
    fixedProtonationStates: sent.fixedProtonationStates.map(fixedState).toSorted(byResidue),
    removeComponents: componentSet(sent.removeComponents),
    retainComponents: componentSet(sent.retainComponents),
    ...(sent.repair === undefined || sent.repair === 'far' ? {} : { repair: sent.repair }),
    ...(removeResidues.length === 0 ? {} : { removeResidues }),
    ...(retainResidues.length === 0 ? {} : { retainResidues }),
    ...watersRule(params, sent.retainWatersWithin),
    ...turningResidues(sent.flexibleResidues),
  };
}

/** The ligand of the file that waters can be near to, or null. */
export function namedLigandOf(params: DockingParams): NamedLigand {
  const { ligand } = boxRequestOf(params);
  if (ligand === null) return nativeReferenceOf(params);
  return { ...ligand, componentId: ligand.componentId.toUpperCase() };
}

function watersRule(
  params: DockingParams,
  sent: WatersWithin | undefined,
): Pick<Preparation, 'retainWatersWithin'> {
  if (sent === undefined) return {};
  const { angstrom, of } = sent;
  return {
    retainWatersWithin:
      of === 'box'
        ? { angstrom, of, box: boxRequestOf(params) }
        : { angstrom, of, ligand: namedLigandOf(params) },
  };
}

function turningResidues(
  sent: readonly FlexibleResidue[] | undefined,
): Pick<Preparation, 'flexibleResidues'> {
  if (sent === undefined || sent.length === 0) return {};
  return {
    flexibleResidues: sent.map((one) => ({ ...placeOf(one), ...nameOf(one) })).toSorted(byResidue),
  };
}

/** The number of side chains that turn while a ligand is docked. */
export function flexibleCount(params: SimulationParams | undefined): number {
  return preparationOf(params ?? {}).flexibleResidues?.length ?? 0;
}

/** The search with its defaults. */
export function searchOf(params: DockingParams | undefined): SearchProtocol {
  return {
    exhaustiveness: params?.exhaustiveness ?? DOCKING_DEFAULTS.exhaustiveness,
    numModes: params?.numModes ?? DOCKING_DEFAULTS.numModes,
    energyRangeKcalMol: params?.energyRangeKcalMol ?? DOCKING_DEFAULTS.energyRangeKcalMol,
    ...(params?.scoringFunction === 'vinardo' ? { scoringFunction: 'vinardo' as const } : {}),
  };
}

/** The facts from which the box is made, as the request has them; one edge length stands for three. */
export function boxRequestOf(params: DockingParams): BoxRequest {
  const size = params.boxSizeAngstrom;
  return {
    centerAngstrom: params.boxCenterAngstrom ?? null,
    sizeAngstrom: typeof size === 'number' ? [size, size, size] : (size ?? null),
    ligand:
      params.pocketLigand === undefined
        ? null
        : {
            componentId: params.pocketLigand,
            chain: params.pocketLigandChain ?? null,
            residue: params.pocketLigandResidue ?? null,
            ...(params.pocketLigandInsertionCode?.trim()
              ? { insertionCode: params.pocketLigandInsertionCode.trim() }
              : {}),
          },
    residues: params.pocketResidues?.map(residueOf) ?? null,
  };
}

/** The ligand that is docked again as a control, or null. */
export function nativeReferenceOf(
  params: DockingParams | undefined,
): (Omit<Residue, 'residueName'> & Pick<NativeReference, 'componentId'>) | null {
  const native = params?.dockingValidation?.nativeReference;
  return native === undefined ? null : { componentId: native.componentId.toUpperCase(), ...placeOf(native) };
}

/** A residue as people write it, such as `STR`, `STR:A`, `STR:A:1` or `A:41`. */
export function residueLabel({ residueName, chain, residue, insertionCode }: Residue): string {
  const number = residue === null ? null : `${residue}${insertionCode}`;
  return [residueName ?? null, chain, number].filter((part) => part !== null).join(':');
}

/** A residue with an empty insertion code where the request has none or a blank one. */
export function residueOf(sent: ResidueReference): Residue {
  const { residueName } = sent;
  return {
    ...(residueName === undefined ? {} : { residueName: residueName.toUpperCase() }),
    ...placeOf(sent),
  };
}

/** The place of a residue, without its name; null is what was not told of it. */
export function placeOf({
  chain,
  residue,
  insertionCode,
}: Omit<ResidueReference, 'residueName'>): Omit<Residue, 'residueName'> {
  return { chain: chain ?? null, residue: residue ?? null, insertionCode: insertionCode?.trim() ?? '' };
}

function nameOf<Name>(sent: { readonly residueName?: Name }): { readonly residueName?: Name } {
  return sent.residueName === undefined ? {} : { residueName: sent.residueName };
}

function fixedState(sent: FixedProtonationState): Preparation['fixedProtonationStates'][number] {
  const { residueName, state, reason } = sent;
  return { ...placeOf(sent), residueName, state, reason: reason ?? null };
}

function byResidue(a: Residue, b: Residue): number {
  return (
    compareText(a.chain ?? '', b.chain ?? '') ||
    (a.residue ?? 0) - (b.residue ?? 0) ||
    compareText(a.insertionCode, b.insertionCode) ||
    compareText(a.residueName ?? '', b.residueName ?? '')
  );
}

/** The residues of a list in one order, each once. */
function residueSet(sent: readonly ResidueReference[] | undefined): readonly Residue[] {
  const residues = new Map((sent ?? []).map(residueOf).map((residue) => [residuePlace(residue), residue]));
  return [...residues.values()].toSorted(byResidue);
}

/**
 * A text that is different for every residue. A label cannot serve, because residue 1 with the code 1 and residue 11
 * have the same label.
 */
export function residuePlace({ residueName, chain, residue, insertionCode }: Residue): string {
  const isPlace = chain !== null && residue !== null;
  return JSON.stringify([chain, residue, insertionCode, ...(isPlace ? [] : [residueName])]);
}

/** The component ids of a list in capitals, as the dictionary writes them, sorted and each once. */
function componentSet(sent: readonly string[] | undefined): string[] {
  return sortedSet((sent ?? []).map((id) => id.toUpperCase()));
}
