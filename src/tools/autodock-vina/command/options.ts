/** Readers of the options of `dockyard dock`. */
import { REPAIRS } from '../../../domain/requests.ts';
import type {
  FixedProtonationState,
  FlexibleResidue,
  LigandStates,
  LigandTautomer,
  ReceptorPreparation,
  Repair,
  ResidueReference,
  ScoringFunction,
  WatersWithin,
} from '../../../domain/requests.ts';
import { MOST_REQUIRED_ANGSTROM } from '../../../domain/required-control.ts';
import { OptionRefusal } from '../../command.ts';
import type { DepositedLigand, ReceptorParts } from './residues.ts';

/** The options that say what ligands are docked to, and how. */
export interface ProtocolOptions {
  readonly receptor: string;
  readonly chains?: readonly string[];
  readonly assembly?: string;
  readonly model?: number;
  readonly boxFromLigand?: DepositedLigand;
  readonly boxFromResidues?: readonly ResidueReference[];
  readonly center?: readonly [number, number, number];
  readonly size?: number | readonly [number, number, number];
  readonly ph?: number;
  readonly asGiven?: true;
  readonly tautomer?: LigandTautomer;
  readonly states?: LigandStates;
  readonly retain?: readonly ReceptorParts[];
  readonly retainWaters?: WatersWithin;
  readonly remove?: readonly ReceptorParts[];
  readonly fix?: readonly FixedProtonationState[];
  readonly method?: ReceptorPreparation['protonationMethod'];
  readonly flexible?: readonly FlexibleResidue[];
  readonly repair?: Repair;
  readonly seed?: number;
  readonly exhaustiveness?: number;
  readonly modes?: number;
  readonly energyRange?: number;
  readonly scoring?: ScoringFunction;
  readonly validate?: DepositedLigand;
  readonly requireControl?: number;
}

/** The options of `dockyard dock`. */
export interface DockOptions extends ProtocolOptions {
  readonly ligands?: string;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;
const MOST_WATER_ANGSTROM = 10;

/** Reads a point in Å. */
export function point(text: string): [number, number, number] {
  const [x, y, z, ...rest] = numbers(text);
  if (x === undefined || y === undefined || z === undefined || rest.length > 0) {
    throw new OptionRefusal('It is three numbers in Å, such as 12.5,-3,40.');
  }
  return [x, y, z];
}

/** Reads one edge in Å, or three. */
export function boxSize(text: string): number | [number, number, number] {
  const edges = numbers(text);
  const [x, y, z] = edges;
  const isInRange = edges.every((edge) => edge >= 1 && edge <= 100);
  if (isInRange && edges.length === 1 && x !== undefined) return x;
  if (isInRange && edges.length === 3 && x !== undefined && y !== undefined && z !== undefined)
    return [x, y, z];
  throw new OptionRefusal('It is one edge in Å or three, each 1 to 100, such as 22 or 22,20,24.');
}

/** Reads a seed. */
export function seed(text: string): number {
  const value = Number(text);
  if (/^-?\d{1,10}$/.test(text) && value >= -2_147_483_648 && value <= 2_147_483_647) return value;
  throw new OptionRefusal('It is a whole number of 32 bits; 0 lets the service draw one.');
}

/** Reads the name of a scoring function. */
export function scoringFunction(text: string): ScoringFunction {
  if (text === 'vina' || text === 'vinardo') return text;
  throw new OptionRefusal('It is vina or vinardo.');
}

/** Reads which waters stay: `4` for those up to 4 Å from the box, `ligand:3.5` for those near to the ligand. */
export function watersWithin(text: string): WatersWithin {
  const [, of = 'box', digits = ''] = /^(?:(box|ligand):)?(\d+(?:\.\d+)?)$/i.exec(text) ?? [];
  const angstrom = Number(digits);
  if (digits !== '' && angstrom <= MOST_WATER_ANGSTROM) {
    return { angstrom, of: of.toLowerCase() === 'ligand' ? 'ligand' : 'box' };
  }
  throw new OptionRefusal(
    `It is a distance of 0 to ${MOST_WATER_ANGSTROM} Å from the box, such as 0, or from the ligand, such as ligand:3.5.`,
  );
}

/** Reads which tautomer of a ligand is docked. */
export function tautomer(text: string): LigandTautomer {
  if (text === 'as_sent' || text === 'likely') return text;
  throw new OptionRefusal('It is as_sent or likely.');
}

/** Reads in which states a ligand is docked. */
export function states(text: string): LigandStates {
  if (text === 'single' || text === 'likely') return text;
  throw new OptionRefusal('It is single or likely.');
}

/** Reads the method that sets protonation states. */
export function method(text: string): ReceptorPreparation['protonationMethod'] {
  if (text === 'pdb2pqr-propka' || text === 'meeko') return text;
  throw new OptionRefusal('It is pdb2pqr-propka or meeko.');
}

/** Reads how far a mode may be above the best one. */
export function energyRange(text: string): number {
  const value = Number(text);
  if (NUMBER.test(text) && value >= 0.1 && value <= 100) return value;
  throw new OptionRefusal('It is 0.1 to 100 kcal/mol, such as 3.');
}

/** Reads how near to its deposited place the control must come. */
export function requiredControl(text: string): number {
  const value = Number(text);
  if (NUMBER.test(text) && value > 0 && value <= MOST_REQUIRED_ANGSTROM) return value;
  throw new OptionRefusal(`It is a distance above 0 and up to ${MOST_REQUIRED_ANGSTROM} Å, such as 2.0.`);
}

/** Reads where side chains are repaired. */
export function repair(text: string): Repair {
  const found = REPAIRS.find((one) => one === text);
  if (found !== undefined) return found;
  throw new OptionRefusal('It is far, box or none.');
}

function numbers(text: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.every((part) => NUMBER.test(part)) ? parts.map(Number) : [];
}
