/** Readers of options that name residues and components of the receptor. */
import { FIXED_STATES, FLEXIBLE_RESIDUE_NAMES, MOST_FLEXIBLE_RESIDUES } from '../../../domain/requests.ts';
import type {
  FixedProtonationState,
  FlexibleResidue,
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

/** Parts of the receptor that stay or go: all residues of a component, or single residues. */
export interface ReceptorParts {
  readonly components: readonly string[];
  readonly residues: readonly ResidueReference[];
}

const MOST_PARTS = 256;
const CHAIN = `([^\\s:]{1,${CHAIN_CHARACTERS}})`;
const NUMBER = `(-?\\d{1,5})((?:[^\\s\\d:=][^\\s:=]{0,${INSERTION_CODE_CHARACTERS - 1}})?)`;
const PLACE = new RegExp(`^${CHAIN}:${NUMBER}$`, 'u');
const NAMED_PLACE = new RegExp(`^${CHAIN}:[A-Za-z]{3}-?\\d`, 'u');
const FIXED = new RegExp(`^${CHAIN}:([A-Za-z]{3}):?${NUMBER}=([A-Za-z]+)$`, 'u');
const FLEXIBLE = new RegExp(`^${CHAIN}:([A-Za-z]{3})?${NUMBER}$`, 'u');
const DEPOSITED = new RegExp(`^([^\\s:]{1,${COMPONENT_CHARACTERS}})(?::${CHAIN}(?::${NUMBER})?)?$`, 'u');

/** A deposited ligand: its component, with chain and residue where the structure has several copies. */
export interface DepositedLigand {
  readonly componentId: string;
  readonly chain: string | null;
  readonly residue: number | null;
  readonly insertionCode: string | null;
}

/** Reads `STR`, `STR:A` or `STR:A:1`; an insertion code follows the number, as in `STR:A:1B`. */
export function depositedLigand(text: string): DepositedLigand {
  const [, name = '', chain, number, insertionCode = ''] = DEPOSITED.exec(text) ?? [];
  if (name === '') {
    throw new OptionRefusal('It is a component, chain and residue of the structure, such as STR:A:1.');
  }
  const place = chain === undefined || number === undefined ? null : placeOf(chain, number, insertionCode);
  return {
    componentId: name.toUpperCase(),
    chain: chain ?? null,
    residue: place?.residue ?? null,
    insertionCode: place?.insertionCode ?? null,
  };
}

/** Reads a deposited ligand that is docked again: one of the dictionary, with its chain and residue. */
export function placedLigand(text: string): DepositedLigand {
  const ligand = depositedLigand(text);
  if (!COMPONENT_ID.test(ligand.componentId)) {
    throw new OptionRefusal(
      'It is a component of the dictionary, 1 to 8 letters or digits, such as STR:A:1.',
    );
  }
  if (ligand.residue !== null) return ligand;
  throw new OptionRefusal('It needs chain and residue too, such as STR:A:1.');
}

/** Reads what stays or goes: component ids and residues, such as `NAP,A:301`. */
export function receptorParts(text: string): ReceptorParts[] {
  return listed(text).map((part) => {
    if (part.includes(':')) return { components: [], residues: [residue(part)] };
    if (COMPONENT_ID.test(part)) return { components: [part.toUpperCase()], residues: [] };
    throw new OptionRefusal('It is component ids and residues, such as NAP or NAP,A:301.');
  });
}

/** Puts together what an option has named, each part once. @throws CommandRefusal above the bounds of the service. */
export function allParts(parts: readonly ReceptorParts[] | undefined): ReceptorParts {
  const components = [...new Set((parts ?? []).flatMap((part) => part.components))];
  const residues = oncePerPlace((parts ?? []).flatMap((part) => part.residues));
  if (components.length <= MOST_PARTS && residues.length <= MOST_PARTS) return { components, residues };
  throw refused(`At most ${MOST_PARTS} components and ${MOST_PARTS} residues can stay, and as many can go.`);
}

/** Reads residues whose middle is that of the box, such as `A:41,A:145`. */
export function pocketResidues(text: string): ResidueReference[] {
  return listed(text).map(residue);
}

/** Reads protonation states, such as `A:ASP:25=neutral,B:HIS:57=both`. */
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

/** Reads residues whose side chains turn: `A:41`, or with the name that the file has there, `A:HIS41`. */
export function flexibleResidues(text: string): FlexibleResidue[] {
  const residues = listed(text).map(flexibleResidue);
  if (residues.length <= MOST_FLEXIBLE_RESIDUES) return residues;
  throw new OptionRefusal(`At most ${MOST_FLEXIBLE_RESIDUES} side chains can turn.`);
}

/** Moving protons to their likely places is no state as it was given. @throws CommandRefusal. */
export function refuseMovedProtons(asGiven: true | undefined, tautomer: LigandTautomer | undefined): void {
  if (asGiven === true && tautomer === 'likely')
    throw refused(
      '--as-given leaves hydrogens where they are, and --tautomer likely moves them; give one of them.',
    );
}

function refused(message: string): CommandRefusal {
  return new CommandRefusal('VALIDATION_ERROR', message);
}

function residue(text: string): ResidueReference {
  const [, chain = '', number = '', insertionCode = ''] = PLACE.exec(text) ?? [];
  if (chain !== '') return placeOf(chain, number, insertionCode);
  // The service would not look whether the name is right, so a name that is let pass could promise what nobody checks.
  const advice = NAMED_PLACE.test(text) ? ', without the name of the residue' : '';
  throw new OptionRefusal(`It is chain and number of residues, such as A:41 or A:41,A:145${advice}.`);
}

function fixedState(text: string): FixedProtonationState {
  const [, chain = '', name = '', number = '', insertionCode = '', wanted = ''] = FIXED.exec(text) ?? [];
  const residueName = keysOf(FIXED_STATES).find((one) => one === name.toUpperCase());
  if (chain === '') throw new OptionRefusal('It is residues with their states, such as A:ASP:25=neutral.');
  if (residueName === undefined) {
    throw new OptionRefusal(
      `${name.toUpperCase()} has no state to fix; ${Object.keys(FIXED_STATES).join(', ')} have.`,
    );
  }
  const states: readonly FixedProtonationState['state'][] = FIXED_STATES[residueName];
  const state = states.find((one) => one === wanted.toLowerCase());
  if (state !== undefined) return { ...placeOf(chain, number, insertionCode), residueName, state };
  throw new OptionRefusal(`${residueName} can be ${states.join(' or ')}, not ${wanted}.`);
}

function flexibleResidue(text: string): FlexibleResidue {
  const [, chain = '', name, number = '', insertionCode = ''] = FLEXIBLE.exec(text) ?? [];
  if (chain === '') throw new OptionRefusal('It is chain and residue, such as A:41 or A:HIS41,A:MET165.');
  const residueName = FLEXIBLE_RESIDUE_NAMES.find((one) => one === name?.toUpperCase());
  if (name !== undefined && residueName === undefined) {
    throw new OptionRefusal(`${name.toUpperCase()} has no side chain that turns.`);
  }
  return {
    ...placeOf(chain, number, insertionCode),
    ...(residueName === undefined ? {} : { residueName }),
  };
}

function placeOf(chain: string, digits: string, insertionCode: string): ResidueReference {
  const number = Number(digits);
  if (number < LEAST_RESIDUE || number > MOST_RESIDUE) {
    throw new OptionRefusal(
      `It has residue ${number}; the number of a residue is ${LEAST_RESIDUE} to ${MOST_RESIDUE}.`,
    );
  }
  return { chain, residue: number, ...(insertionCode === '' ? {} : { insertionCode }) };
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
