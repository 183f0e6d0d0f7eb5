/** Offer of a docking to a person, and the box that the options must name. */
import { CommandRefusal } from '../../command.ts';
import { receptorText } from '../../receptor-file.ts';
import type { ReceptorInput } from '../../receptor-file.ts';
import type { TextLine } from '../../shown.ts';
import { residueLabel, residueOf } from '../parameters.ts';
import type { ProtocolOptions } from './options.ts';
import { allParts, refuseFixedTwice, refuseMovedProtons } from './residues.ts';
import type { DepositedLigand } from './residues.ts';

/** Refuses options that do not go together, before a file is read or sent. @throws CommandRefusal. */
export function refuseConflicts(options: ProtocolOptions): void {
  refuseBox(options);
  refuseFixedTwice(options.fix ?? []);
  refuseMovedProtons(options);
  if (options.requireControl !== undefined && options.validate === undefined) {
    throw new CommandRefusal(
      'VALIDATION_ERROR',
      '--require-control needs the ligand that is docked again as the control: name it with --validate, such as STR:A:1.',
    );
  }
}

/** Exactly one option says where the box is. */
function refuseBox({ boxFromLigand, boxFromResidues, center, size }: ProtocolOptions): void {
  const named = Object.entries({
    '--box-from-ligand': boxFromLigand,
    '--box-from-residues': boxFromResidues,
    '--center': center,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const problem =
    named.length > 1
      ? `Give one of ${named.join(' and ')}, not ${named.length === 2 ? 'both' : 'all'}.`
      : named.length === 0
        ? 'Where to dock is missing: give --box-from-ligand, --box-from-residues, or --center and --size.'
        : center !== undefined && size === undefined
          ? 'A box around --center needs its --size.'
          : null;
  if (problem !== null) throw new CommandRefusal('USAGE_BOX', problem);
}

/** Makes the note beside the price. */
export function priceNoteOf({ states }: ProtocolOptions): string {
  const note = 'only ligands that were docked are charged';
  return states === 'likely' ? `${note}, each by its states: held is the price of 16` : note;
}

/** Receptor, box and protocol in words. */
export function protocolOffer(options: ProtocolOptions, receptor: ReceptorInput): readonly TextLine[] {
  const { chains, model, flexible, fix, retain, remove } = options;
  const part = [
    ...(model === undefined ? [] : [`, model ${model}`]),
    ...(chains === undefined ? [] : [`, chains ${chains.join(', ')}`]),
  ].join('');
  return [
    ['Receptor', `${receptorText(receptor)}${part}`],
    ...(retain === undefined ? [] : [['Kept', partsText(retain)] as const]),
    ...(remove === undefined ? [] : [['Taken out', partsText(remove)] as const]),
    ...(fix === undefined ? [] : [['Fixed', fix.map(fixedText).join(', ')] as const]),
    ...(flexible === undefined
      ? []
      : [['Flexible', flexible.map((one) => residueLabel(residueOf(one))).join(', ')] as const]),
    ['Box', boxText(options)],
    ['Protocol', searchText(options)],
    ...(options.validate === undefined ? [] : [['Control', controlText(options.validate, options)] as const]),
  ];
}

function controlText(validate: DepositedLigand, { requireControl }: ProtocolOptions): string {
  const required =
    requireControl === undefined ? '' : `; within ${requireControl} Å of its place, or no ligand is docked`;
  return `${ligandName(validate)} docked again, not charged${required}`;
}

function searchText(options: ProtocolOptions): string {
  const { exhaustiveness, scoring, asGiven, tautomer, states, ph, method } = options;
  const search = `exhaustiveness ${exhaustiveness ?? 8}${scoring === 'vinardo' ? ', scored by Vinardo' : ''}`;
  const charges = asGiven === undefined ? '' : ', ligands charged as given';
  const forms = tautomer === 'likely' ? ', ligands in their likely tautomers' : '';
  const several = states === 'likely' ? ', ligands in their likely states (up to 16, the best is told)' : '';
  const standard = method === 'meeko' ? ', standard protonation states' : '';
  return `AutoDock Vina, ${search}, pH ${ph ?? 7.4}${charges}${forms}${several}${standard}`;
}

function boxText({ boxFromLigand, boxFromResidues, center, size }: ProtocolOptions): string {
  const edges = size === undefined ? '' : `, ${typeof size === 'number' ? size : size.join(' × ')} Å`;
  const place =
    boxFromLigand !== undefined
      ? `around ${ligandName(boxFromLigand)}`
      : boxFromResidues !== undefined
        ? `around ${boxFromResidues.map((one) => residueLabel(residueOf(one))).join(', ')}`
        : `at ${center?.join(', ') ?? ''}`;
  return `${place}${edges}`;
}

function partsText(parts: NonNullable<ProtocolOptions['remove']>): string {
  const { components, residues } = allParts(parts);
  return [...components, ...residues.map((one) => residueLabel(residueOf(one)))].join(', ');
}

function fixedText({ state, ...named }: NonNullable<ProtocolOptions['fix']>[number]): string {
  return `${residueLabel(residueOf(named))} ${state}`;
}

function ligandName({ componentId, chain, residue, insertionCode }: DepositedLigand): string {
  return [componentId, chain, residue === null ? null : `${residue}${insertionCode ?? ''}`]
    .filter((part) => part !== null)
    .join(':');
}
