/** Readers of the options of `dockyard dock`. */
import { FLEXIBLE_RESIDUE_NAMES, MOST_FLEXIBLE_RESIDUES } from '../../../domain/requests.ts';
import { OptionRefusal } from '../../command.ts';

/** A deposited ligand: its component, with chain and residue where the structure has several copies. */
export interface DepositedLigand {
  readonly componentId: string;
  readonly chain: string | null;
  readonly residue: number | null;
  readonly insertionCode: string | null;
}

/** A residue whose side chain turns. */
export interface FlexibleResidue {
  readonly chain: string;
  readonly residue: number;
  readonly insertionCode?: string;
  readonly residueName?: FlexibleName;
}

type FlexibleName = (typeof FLEXIBLE_RESIDUE_NAMES)[number];

/** A function that scores poses. */
export type ScoringFunction = 'vina' | 'vinardo';

/** The options of `dockyard dock`. */
export interface DockOptions {
  readonly receptor: string;
  readonly chains?: readonly string[];
  readonly assembly?: string;
  readonly ligands: string;
  readonly boxFromLigand?: DepositedLigand;
  readonly center?: readonly [number, number, number];
  readonly size?: number | readonly [number, number, number];
  readonly ph?: number;
  readonly asGiven?: true;
  readonly retain?: readonly string[];
  readonly flexible?: readonly FlexibleResidue[];
  readonly repair?: 'none' | 'far';
  readonly seed?: number;
  readonly exhaustiveness?: number;
  readonly modes?: number;
  readonly scoring?: ScoringFunction;
  readonly validate?: DepositedLigand;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;
const COMPONENT = /^[A-Za-z0-9]{1,8}$/;

/** Reads `STR`, `STR:A` or `STR:A:1`; an insertion code follows the number, as in `STR:A:1B`. */
export function depositedLigand(text: string): DepositedLigand {
  const [componentId = '', chain, place, ...rest] = text.split(':');
  const match = /^(-?\d{1,5})([A-Za-z]?)$/.exec(place ?? '0');
  const isChain = chain === undefined || /^[^\s]{1,16}$/.test(chain);
  if (!COMPONENT.test(componentId) || !isChain || match === null || rest.length > 0) {
    throw new OptionRefusal('It is a component, chain and residue of the structure, such as STR:A:1.');
  }
  const [, residue = '0', insertionCode = ''] = match;
  return {
    componentId: componentId.toUpperCase(),
    chain: chain ?? null,
    residue: place === undefined ? null : Number(residue),
    insertionCode: insertionCode === '' ? null : insertionCode,
  };
}

/** Reads a deposited ligand with its chain and residue. */
export function placedLigand(text: string): DepositedLigand {
  const ligand = depositedLigand(text);
  if (ligand.residue !== null) return ligand;
  throw new OptionRefusal('It needs chain and residue too, such as STR:A:1.');
}

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

/** Reads component ids. */
export function componentIds(text: string): string[] {
  const components = text.split(',').map((component) => component.trim().toUpperCase());
  if (components.every((component) => COMPONENT.test(component))) return [...new Set(components)];
  throw new OptionRefusal('It is component ids, such as ZN or NAP,ZN.');
}

/** Reads residues whose side chains turn: `A:41`, or with the name that the file has there, `A:HIS41`. */
export function flexibleResidues(text: string): FlexibleResidue[] {
  const residues = text.split(',').map((one) => flexibleResidue(one.trim()));
  if (residues.length <= MOST_FLEXIBLE_RESIDUES) return residues;
  throw new OptionRefusal(`At most ${MOST_FLEXIBLE_RESIDUES} side chains can turn.`);
}

function flexibleResidue(text: string): FlexibleResidue {
  const match = /^([^\s:]{1,16}):([A-Za-z]{3})?(-?\d{1,5})([A-Za-z]?)$/.exec(text);
  if (match === null) {
    throw new OptionRefusal('It is chain and residue, such as A:41 or A:HIS41,A:MET165.');
  }
  const [, chain = '', name, residue = '', insertionCode = ''] = match;
  const residueName = FLEXIBLE_RESIDUE_NAMES.find((one) => one === name?.toUpperCase());
  if (name !== undefined && residueName === undefined) {
    throw new OptionRefusal(`${name.toUpperCase()} has no side chain that turns.`);
  }
  return {
    chain,
    residue: Number(residue),
    ...(insertionCode === '' ? {} : { insertionCode }),
    ...(residueName === undefined ? {} : { residueName }),
  };
}

/** Reads where side chains are repaired. */
export function repair(text: string): 'none' | 'far' {
  if (text === 'none' || text === 'far') return text;
  throw new OptionRefusal('It is far or none.');
}

function numbers(text: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.every((part) => NUMBER.test(part)) ? parts.map(Number) : [];
}
