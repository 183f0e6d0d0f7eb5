/** Files of ligands, told apart by how their names end. */
import { extname } from 'node:path';

import { readCsv } from './csv.ts';
import { badFile, nameLigands } from './draft.ts';
import type { LigandDraft, NamedLigand } from './draft.ts';
import { readSdf } from './sdf.ts';
import { readSmi } from './smi.ts';

export type { NamedLigand } from './draft.ts';

const READERS: Readonly<Record<string, (text: string) => LigandDraft[]>> = {
  '.smi': readSmi,
  '.smiles': readSmi,
  '.csv': readCsv,
  '.tsv': readCsv,
  '.sdf': readSdf,
  '.sd': readSdf,
  '.mol': readSdf,
};

/** Reads the ligands of a file. @throws CommandRefusal when it cannot be read as what its name says. */
export function readLigands(file: string, text: string): NamedLigand[] {
  const reader = READERS[extname(file).toLowerCase()];
  if (reader === undefined) {
    throw badFile(
      `${file} is none of ${Object.keys(READERS).join(', ')}; the end of its name tells what it is.`,
    );
  }
  if (text.includes('\0')) throw badFile(`${file} is no text file.`);
  return nameLigands(reader(text));
}
