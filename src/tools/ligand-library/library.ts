/**
 * Reads a ligand library once, as a stream, into the entries of its index: the byte range of each structure, its id, label and
 * line. The library is never in memory as a whole, and neither are its entries. The fault of one record is told of that record,
 * because a bad ligand fails alone; a fault of the library ends the reading with a refusal.
 *
 * Places are those in the unpacked file.
 */
import { hash } from 'node:crypto';

import { LIBRARY_FORMATS } from '../../domain/requests.ts';
import type { LibraryFormat } from '../../domain/requests.ts';
import type { Pieces } from '../pieces.ts';
import { heavyAtomsOf } from './heavy-atoms.ts';
import { heavyAtomsOfMolBlock } from './mol-block.ts';
import { labelOfName, LigandIds } from './names.ts';
import { RecentBytes } from './recent-bytes.ts';
import { LONGEST_SMILES } from './record.ts';
import type { RawRecord } from './record.ts';
import { refuse } from './codes.ts';
import { readSdf } from './sdf.ts';
import { readSmi } from './smi.ts';
import { readTable } from './table.ts';
import { libraryBytes } from './unpack.ts';
import type { Chunks } from './unpack.ts';

/** A record of a library with its id, which no other record of the library has. */
export interface LibraryEntry extends Omit<RawRecord, 'name' | 'structureSha256'> {
  readonly ligandId: string;
  readonly label: string;
  /** Whether the id has a number because an earlier record has the same name. */
  readonly isRepeated: boolean;
  /** The bytes of the structure as they stand in the file. */
  readonly structure: Buffer;
  /** The digest of the bytes of the structure as they stand in the file. */
  readonly contentSha256: string;
  /** The digest of the structure without its name, by which equal records are found. */
  readonly structureSha256: string;
  /** Atoms other than hydrogen of the largest molecule, by which a ligand is priced; null where they cannot be counted. */
  readonly heavyAtoms: number | null;
  /** The SMILES as it stands in the file; null in an SD file, where there is none, and for what is longer than any SMILES. */
  readonly smiles: string | null;
}

/** The most records of a library. */
export const MOST_RECORDS = 10_000;

/** Whether a format is one of libraries. */
export function isLibraryFormat(format: string): format is LibraryFormat {
  return LIBRARY_FORMATS.some((one) => one === format);
}

const READERS: Readonly<Record<LibraryFormat, (pieces: Pieces) => AsyncGenerator<RawRecord, void>>> = {
  smi: readSmi,
  csv: readTable,
  sdf: readSdf,
};

/**
 * The entries of a library in the order of the file. A record without a name is called by its number. `seen` gets every byte of
 * the unpacked file.
 * @throws LIBRARY_EMPTY, LIBRARY_TOO_LARGE, LIBRARY_RECORD_TOO_LARGE, LIBRARY_UNREADABLE, LIBRARY_COLUMN_MISSING; entries
 * that came before then count for nothing.
 */
export async function* readLibrary(
  chunks: Chunks,
  format: LibraryFormat,
  seen: (bytes: Uint8Array) => void = () => undefined,
): AsyncGenerator<LibraryEntry, void> {
  const ids = new LigandIds();
  const recent = new RecentBytes();
  let records = 0;
  for await (const record of READERS[format](recent.passing(libraryBytes(chunks), seen))) {
    const { name, structureSha256, ...read } = record;
    records += 1;
    if (records > MOST_RECORDS)
      throw refuse('LIBRARY_TOO_LARGE', `The library has more than ${MOST_RECORDS} records.`);
    const { ligandId, isRepeated } = ids.next(name);
    const structure = recent.take(read.start, read.end);
    const text = structure.toString('latin1');
    const contentSha256 = hash('sha256', structure);
    yield {
      ...read,
      ligandId,
      label: labelOfName(name, ligandId),
      isRepeated,
      structure,
      contentSha256,
      structureSha256: structureSha256 ?? contentSha256,
      heavyAtoms: read.fault === null ? heavyAtomsIn(text, format) : null,
      smiles: smilesIn(structure, text, format),
    };
  }
  if (records === 0) throw refuse('LIBRARY_EMPTY', 'The library has no record.');
}

function heavyAtomsIn(text: string, format: LibraryFormat): number | null {
  return format === 'sdf' ? heavyAtomsOfMolBlock(text) : heavyAtomsOf(text);
}

function smilesIn(bytes: Buffer, text: string, format: LibraryFormat): string | null {
  if (format === 'sdf' || bytes.byteLength > LONGEST_SMILES) return null;
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  return (
    bytes
      .toString('utf8')
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim() || null
  );
}
