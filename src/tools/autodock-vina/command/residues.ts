/**
 * Readers of options that name residues and components of the receptor, all by one rule: component, chain and number, of which
 * what is unambiguous is enough, such as `STR`, `STR:A` or `STR:A:1`; an insertion code follows the number. A residue of a chain
 * may go without its name, such as `A:41`. The older spellings `A:HIS41` and `A:HIS:41` are read as well. The residue of a name
 * is looked up in the structure, by `residue_names.py` of `science/`.
 */
import { FIXED_STATES, FLEXIBLE_RESIDUE_NAMES, MOST_FLEXIBLE_RESIDUES } from '../../../domain/requests.ts';
import type {
  FixedProtonationState,
  FlexibleResidue,
  LigandStates,
  LigandTautomer,
  ResidueReference,
} from '../../../domain/requests.ts';
import {
  CHAIN_CHARACTERS,
  COMPONENT_CHARACTERS,
  COMPONENT_ID,
  INSERTION_CODE_CHARACTERS,
  LEAST_RESIDUE,
  MOST_RESIDUE,
} from '../../../domain/structure-names.ts';
import { CommandRefusal, OptionRefusal } from '../../command.ts';
import { residueLabel, residueOf, residuePlace } from '../parameters.ts';

/** Parts of the receptor that stay or go: all residues of a component, or residues that are named further. */
export interface ReceptorParts {
  readonly components: readonly string[];
  readonly residues: readonly ResidueReference[];
}

const MOST_PARTS = 256;
const CHAIN = `[^\\s:]{1,${CHAIN_CHARACTERS}}`;
const NAME = `[^\\s:]{1,${COMPONENT_CHARACTERS}}`;
const NUMBER = `(?<number>-?\\d{1,5})(?<code>(?:[^\\s\\d:=][^\\s:=]{0,${INSERTION_CODE_CHARACTERS - 1}})?)`;
const pattern = (text: string): RegExp => new RegExp(`^${text}$`, 'iu');
/** An amino acid, which in the middle is a name and no chain. */
const AMINO_ACID = [...FLEXIBLE_RESIDUE_NAMES, 'ALA', 'GLY', 'PRO'].join('|');
/** The name comes first, as everywhere. */
const NAMED = [
  pattern(`(?<name>${NAME})`),
  pattern(`(?<name>${NAME}):(?<chain>${CHAIN})`),
  pattern(`(?<name>${NAME}):(?<chain>${CHAIN}):${NUMBER}`),
];
/** A residue of a chain: without its name, or with the name behind the chain, as it was written before. */
const OF_CHAIN = [
  pattern(`(?<name>${AMINO_ACID}):${NUMBER}`),
  pattern(`(?<chain>${CHAIN}):${NUMBER}`),
  pattern(`(?<chain>${CHAIN}):(?<name>[A-Za-z]{3})${NUMBER}`),
  pattern(`(?<chain>${CHAIN}):(?<name>${AMINO_ACID}):${NUMBER}`),
];

/** A deposited ligand: its component, with chain and residue where the structure has several copies. */
export interface DepositedLigand {
  readonly componentId: string;
  readonly chain: string | null;
  readonly residue: number | null;
  readonly insertionCode: string | null;
}

/**
 * Reads the name of a residue. A ligand always has its component first; of residues of chains a number behind a colon is the number
 * in the chain. @returns null for what names nothing.
 */
function named(text: string, isLigand: boolean): ResidueReference | null {
  const ways = isLigand ? NAMED : [...OF_CHAIN, ...NAMED];
  const read = ways.map((way) => way.exec(text)?.groups).find((parts) => parts !== undefined);
  if (read === undefined) return null;
  const { name, chain, number, code = '' } = read;
  return {
    ...(name === undefined ? {} : { residueName: name.toUpperCase() }),
    ...(chain === undefined ? {} : { chain }),
    ...(number === undefined ? {} : { residue: numberOf(number) }),
    ...(code === '' ? {} : { insertionCode: code }),
  };
}

/** Reads a deposited ligand: `STR`, `STR:A` or `STR:A:1`; an insertion code follows the number, as in `STR:A:1B`. */
export function depositedLigand(text: string): DepositedLigand {
  const found = named(text, true);
  if (found?.residueName === undefined) {
    throw new OptionRefusal(
      'It is a component, with chain and residue where there are several, such as STR, STR:A or STR:A:1.',
    );
  }
  const { residueName, chain = null, residue = null, insertionCode = null } = found;
  return { componentId: residueName, chain, residue, insertionCode };
}

/** Reads a deposited ligand that is docked again: one of the dictionary. */
export function nativeLigand(text: string): DepositedLigand {
  const ligand = depositedLigand(text);
  if (COMPONENT_ID.test(ligand.componentId)) return ligand;
  throw new OptionRefusal(
    'It is a component of the dictionary, 1 to 8 letters or digits, such as STR or STR:A:1.',
  );
}

/** Reads what stays or goes: component ids and residues, such as `NAP,A:301,SO4:B`. */
export function receptorParts(text: string): ReceptorParts[] {
  return listed(text).map((part) => {
    if (COMPONENT_ID.test(part)) return { components: [part.toUpperCase()], residues: [] };
    const residue = part.includes(':') ? named(part, false) : null;
    if (residue !== null) return { components: [], residues: [residue] };
    throw new OptionRefusal('It is component ids and residues, such as NAP, NAP:A, NAP:A:301 or A:301.');
  });
}

/** Puts together what an option has named, each part once. @throws CommandRefusal above the bounds of the service. */
export function allParts(parts: readonly ReceptorParts[] | undefined): ReceptorParts {
  const components = [...new Set((parts ?? []).flatMap((part) => part.components))];
  const residues = oncePerPlace((parts ?? []).flatMap((part) => part.residues));
  if (components.length <= MOST_PARTS && residues.length <= MOST_PARTS) return { components, residues };
  throw refused(`At most ${MOST_PARTS} components and ${MOST_PARTS} residues can stay, and as many can go.`);
}

/** Reads residues whose middle is that of the box, such as `A:41,HIS:A:145`. */
export function pocketResidues(text: string): ResidueReference[] {
  return listed(text).map((part) => {
    const residue = named(part, false);
    if (residue !== null) return residue;
    throw new OptionRefusal('It is residues, such as A:41 or HIS:A:41,A:145.');
  });
}

/** Reads protonation states, such as `ASP:A:25=neutral,HIS:B:57=both`. */
export function fixedStates(text: string): FixedProtonationState[] {
  return listed(text).map(fixedState);
}

/** Each residue is fixed once. @throws CommandRefusal. */
export function refuseFixedTwice(states: readonly FixedProtonationState[]): void {
  const places = states.map((state) => residuePlace(residueOf(state)));
  const again = states.find((state, index) => places.indexOf(residuePlace(residueOf(state))) !== index);
  if (again !== undefined)
    throw refused(`--fix names ${residueLabel(residueOf(again))} twice; keep one state of it.`);
  if (states.length > MOST_PARTS) throw refused(`--fix takes at most ${MOST_PARTS} residues.`);
}

/** Reads residues whose side chains turn: `A:41`, or with the name that the file has there, `HIS:A:41`. */
export function flexibleResidues(text: string): FlexibleResidue[] {
  const residues = listed(text).map(flexibleResidue);
  if (residues.length <= MOST_FLEXIBLE_RESIDUES) return residues;
  throw new OptionRefusal(`At most ${MOST_FLEXIBLE_RESIDUES} side chains can turn.`);
}

/** Moving protons to their likely places is no state as it was given. @throws CommandRefusal. */
export function refuseMovedProtons(options: {
  readonly asGiven?: true;
  readonly tautomer?: LigandTautomer;
  readonly states?: LigandStates;
}): void {
  const moving = (['tautomer', 'states'] as const).find((name) => options[name] === 'likely');
  if (options.asGiven === true && moving !== undefined)
    throw refused(
      `--as-given leaves hydrogens where they are, and --${moving} likely moves them; give one of them.`,
    );
}

function refused(message: string): CommandRefusal {
  return new CommandRefusal('VALIDATION_ERROR', message);
}

function fixedState(text: string): FixedProtonationState {
  const [, place = '', wanted = ''] = /^(.+)=([A-Za-z]+)$/u.exec(text) ?? [];
  const found = named(place, false);
  if (found?.residueName === undefined) {
    throw new OptionRefusal('It is residues with their names and states, such as ASP:A:25=neutral.');
  }
  const { residueName: name, ...where } = found;
  const residueName = keysOf(FIXED_STATES).find((one) => one === name);
  if (residueName === undefined) {
    throw new OptionRefusal(`${name} has no state to fix; ${Object.keys(FIXED_STATES).join(', ')} have.`);
  }
  const states: readonly FixedProtonationState['state'][] = FIXED_STATES[residueName];
  const state = states.find((one) => one === wanted.toLowerCase());
  if (state !== undefined) return { ...where, residueName, state };
  throw new OptionRefusal(`${residueName} can be ${states.join(' or ')}, not ${wanted}.`);
}

function flexibleResidue(text: string): FlexibleResidue {
  const found = named(text, false);
  if (found === null) throw new OptionRefusal('It is residues, such as A:41 or HIS:A:41,MET:A:165.');
  const { residueName: name, ...where } = found;
  const residueName = FLEXIBLE_RESIDUE_NAMES.find((one) => one === name);
  if (name !== undefined && residueName === undefined) {
    throw new OptionRefusal(`${name} has no side chain that turns.`);
  }
  return { ...where, ...(residueName === undefined ? {} : { residueName }) };
}

function numberOf(digits: string): number {
  const number = Number(digits);
  if (number >= LEAST_RESIDUE && number <= MOST_RESIDUE) return number;
  throw new OptionRefusal(
    `It has residue ${number}; the number of a residue is ${LEAST_RESIDUE} to ${MOST_RESIDUE}.`,
  );
}

function oncePerPlace(residues: readonly ResidueReference[]): ResidueReference[] {
  return [...new Map(residues.map((one) => [residuePlace(residueOf(one)), one])).values()];
}

function listed(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(record).filter((key): key is Key => key in record);
}
