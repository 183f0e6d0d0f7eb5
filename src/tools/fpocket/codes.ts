/** Codes of the search for pockets; a structure that cannot be read has the codes and the words that docking has. */
import { says } from '../../domain/codes/code.ts';
import type { CodeWords } from '../../domain/codes/code.ts';
import { RECEPTOR_FAILURES, RECEPTOR_WARNINGS } from '../receptor-codes.ts';
import type { ToolCodes } from '../tool.ts';

type Words = Readonly<Record<string, CodeWords>>;

/** Why a search fails. */
export const POCKET_FAILURES = {
  ...RECEPTOR_FAILURES,
  POCKETS_NO_ATOMS: says(
    'The selection has no atoms that fpocket reads: it takes ATOM records, and of HETATM records only metals, cofactors and modified residues of its own list.',
    'Choose chains with a protein or nucleic acid, or check that the file writes them as ATOM.',
  ),
} as const satisfies Words;

/** Warnings of a search. */
export const POCKET_WARNINGS = {
  ...RECEPTOR_WARNINGS,
  POCKETS_NONE_FOUND: says(
    'The search found no pocket, which is a result: the list in pockets.json is empty.',
    'Small peptides and flat surfaces have none. Check the chains and the assembly when you expected some.',
  ),
  POCKETS_CLOCK_NOT_FIXED: says(
    'The clock that seeds the volumes of fpocket could not be fixed on the instance, so volumes differ a little between two runs.',
    'Compare scores and residues, which do not depend on the clock, rather than volumes.',
  ),
  POCKETS_COMPONENTS_KEPT: says(
    'The components that the message names count to the structure, so that no pocket is found where they are.',
    'Keep that for cofactors. Take a ligand out of the file, or write it as HETATM, to find its pocket.',
  ),
} as const satisfies Words;

/** All of it, as documents show it. */
export const POCKET_CODES: ToolCodes = {
  refusals: {},
  failures: [
    {
      title: 'Failures of the search for pockets',
      note: 'The job fails, and nothing is charged.',
      codes: POCKET_FAILURES,
    },
  ],
  warnings: [
    {
      title: 'Warnings of the search for pockets',
      note: 'The pockets are found all the same; pockets.json has the warnings too.',
      codes: POCKET_WARNINGS,
    },
  ],
  reports: [],
  advice: {
    ENGINE_TIMEOUT: 'Choose fewer chains, or the asymmetric unit instead of the assembly.',
    ENGINE_OUT_OF_MEMORY: 'Choose fewer chains, or the asymmetric unit instead of the assembly.',
  },
};
