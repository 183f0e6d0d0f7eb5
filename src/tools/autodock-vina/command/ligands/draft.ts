/** Ligands as a file names them, before they are sent. Only the service judges whether a structure is sound. */
import { CommandRefusal } from '../../../command.ts';
import { idOfName, labelOfName } from '../../../ligand-library/names.ts';

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
    const base = idOfName(draft.name) || `ligand-${index + 1}`;
    const ligandId = freeId(base, taken);
    taken.add(ligandId);
    return { ...draft, ligandId, label: labelOfName(draft.name, ligandId) };
  });
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
