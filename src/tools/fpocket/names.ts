/** The outputs of a search by name, with the kind, media type and format of each. */
import type { OutputFacts } from '../expected-outputs.ts';

/** The structure exactly as the program read it. */
export const SELECTED = 'selected.pdb';
/** Everything that was found, for programs. */
export const REPORT = 'pockets.json';
/** The kind of the report. */
export const REPORT_KIND = 'pockets';
/** The main numbers of each pocket, for spreadsheets. */
export const TABLE = 'pockets.csv';
/** The structure and all alpha spheres as the program wrote them. */
export const WHOLE = 'fpocket_out.pdb';
/** Output of the program. */
export const LOG = 'fpocket.log';

const MEBIBYTE = 1024 * 1024;
const PDB = ['chemical/x-pdb', 'pdb'] as const;

/** The outputs of every search. */
export const ALWAYS: Readonly<Record<string, OutputFacts>> = {
  [SELECTED]: ['selected_structure', ...PDB],
  [REPORT]: [REPORT_KIND, 'application/json', 'json'],
  [TABLE]: ['pockets_table', 'text/csv', 'csv'],
  [LOG]: ['log', 'text/plain', 'log'],
};
/** The program writes the structure unless the selection has hardly any atoms. */
export const WHOLE_FACTS: OutputFacts = ['pockets_structure', ...PDB];

/** The most bytes of an output by its kind; an honest file is far smaller. */
export const POCKET_OUTPUT_BYTES: Readonly<Record<string, number>> = {
  selected_structure: 16 * MEBIBYTE,
  pockets: 16 * MEBIBYTE,
  pockets_table: 4 * MEBIBYTE,
  pockets_structure: 64 * MEBIBYTE,
  pocket_atoms: 16 * MEBIBYTE,
  alpha_spheres: 16 * MEBIBYTE,
  log: 16 * MEBIBYTE,
};

/** The names of a pocket's files: the atoms that its spheres touch, and the spheres. */
export function pocketFiles(rank: number): readonly [atoms: string, spheres: string] {
  return [`pockets/pocket${rank}_atm.pdb`, `pockets/pocket${rank}_vert.pqr`];
}

/** The outputs of pockets 1 to `count`. */
export function factsOfPockets(count: number): Readonly<Record<string, OutputFacts>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => pocketFiles(index + 1)).flatMap(([atoms, spheres]) => [
      [atoms, ['pocket_atoms', ...PDB]],
      [spheres, ['alpha_spheres', 'chemical/x-pqr', 'pqr']],
    ]),
  );
}
