/** Ligands as a file names them, before they are sent. Only the service judges whether a structure is sound. */
import { CommandRefusal } from '../../../command.ts';

/** One ligand of a file. */
export interface LigandDraft {
  /** The name in the file; empty when the file gives none. */
  readonly name: string;
  /** Place of the ligand in the file, counted from 1. */
  readonly line: number;
  readonly structure:
    | { readonly kind: 'smiles'; readonly smiles: string }
    /** One record of an SDF, with its end mark. */
    | { readonly kind: 'sdf'; readonly record: string };
}

/** A ligand with the id that tells it from the others of its library. */
export interface NamedLigand extends LigandDraft {
  readonly ligandId: string;
  readonly label: string;
}

/** Most ligands of one job. */
export const MOST_LIGANDS = 10_000;
const LONGEST_ID = 100;
const LONGEST_LABEL = 512;
const LONGEST_SMILES = 4096;

/** A ligand by SMILES. @throws CommandRefusal when it is longer than a request may carry. */
export function smilesDraft(smiles: string, name: string, line: number): LigandDraft {
  if (smiles.length <= LONGEST_SMILES) return { name, line, structure: { kind: 'smiles', smiles } };
  throw badFile(`Line ${line} has a SMILES of ${smiles.length} characters; ${LONGEST_SMILES} are the most.`);
}

/**
 * Gives each ligand its id, made from its name: other characters become `-`, a name that comes again gets a number.
 * @throws CommandRefusal when there are none, or too many for one job.
 */
export function nameLigands(drafts: readonly LigandDraft[]): NamedLigand[] {
  if (drafts.length === 0) throw badFile('The ligand file holds no ligand.');
  if (drafts.length > MOST_LIGANDS) {
    throw badFile(
      `The ligand file holds ${drafts.length} ligands; ${MOST_LIGANDS} are the most for one job.`,
    );
  }
  const taken = new Set<string>();
  return drafts.map((draft, index) => {
    const base = idOf(draft.name) || `ligand-${index + 1}`;
    const ligandId = freeId(base, taken);
    taken.add(ligandId);
    const label = draft.name
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, LONGEST_LABEL);
    return { ...draft, ligandId, label: label === '' ? ligandId : label };
  });
}

/** An id of letters, digits and `.`, `_`, `-` that begins with one of the first two; empty when nothing is left. */
function idOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, LONGEST_ID)
    .replace(/[^A-Za-z0-9]+$/, '');
}

function freeId(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}

/** The problem of a file that cannot be read as the format that its name says. */
export function badFile(message: string): CommandRefusal {
  return new CommandRefusal('USAGE_LIGANDS', message);
}
