/**
 * Reads a ligand library once, as a stream, into the entries of its index: the byte range of each structure, its id, label and
 * line. The library is never in memory as a whole, and neither are its entries. What is wrong with one record is told of that
 * record, because a bad ligand fails alone; what is wrong with the library ends the reading with a refusal.
 *
 * Places are those in the unpacked file.
 */
import type { Pieces } from '../pieces.ts';
import { idOfName, labelOfName } from './names.ts';
import type { RawRecord } from './record.ts';
import { refuse } from './refusals.ts';
import { readSdf } from './sdf.ts';
import { readSmi } from './smi.ts';
import { readTable } from './table.ts';
import { libraryBytes } from './unpack.ts';
import type { Chunks } from './unpack.ts';

/** The formats of a library. A table may have commas, semicolons or tabs between its cells. */
export type LibraryFormat = 'smi' | 'csv' | 'sdf';

/** A record of a library with its id, which no other record of the library has. */
export interface LibraryEntry extends Omit<RawRecord, 'name'> {
  readonly ligandId: string;
  readonly label: string;
}

/** The most records of a library. */
export const MOST_RECORDS = 10_000;

const READERS: Readonly<Record<LibraryFormat, (pieces: Pieces) => AsyncGenerator<RawRecord, void>>> = {
  smi: readSmi,
  csv: readTable,
  sdf: readSdf,
};

/**
 * The entries of a library in the order of the file. A record without a name is called by its number.
 * @throws LIBRARY_EMPTY, LIBRARY_TOO_LARGE, LIBRARY_RECORD_TOO_LARGE, LIBRARY_UNREADABLE, LIBRARY_COLUMN_MISSING,
 * LIBRARY_ID_CONFLICT; entries that came before then count for nothing.
 */
export async function* readLibrary(
  chunks: Chunks,
  format: LibraryFormat,
): AsyncGenerator<LibraryEntry, void> {
  const lines = new Map<string, number>();
  for await (const { name, ...record } of READERS[format](libraryBytes(chunks))) {
    if (lines.size === MOST_RECORDS)
      throw refuse('LIBRARY_TOO_LARGE', `The library has more than ${MOST_RECORDS} records.`);
    const ligandId = idOfName(name) || `ligand-${lines.size + 1}`;
    const known = lines.get(ligandId);
    if (known !== undefined)
      throw refuse(
        'LIBRARY_ID_CONFLICT',
        `The records of the lines ${known} and ${record.line} both have the id ${ligandId}; name one of them otherwise.`,
      );
    lines.set(ligandId, record.line);
    yield { ...record, ligandId, label: labelOfName(name, ligandId) };
  }
  if (lines.size === 0) throw refuse('LIBRARY_EMPTY', 'The library has no record.');
}
