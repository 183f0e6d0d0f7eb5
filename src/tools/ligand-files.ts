/**
 * Files of ligands on this machine. A library is read by the reader with which the service reads it, so that every command knows
 * before anything is sent what the service would refuse, which ligands there are, and what they cost.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';

import { AppError } from '../domain/errors.ts';
import type { LibraryFormat } from '../domain/requests.ts';
import { CommandRefusal } from './command.ts';
import { readLibrary } from './ligand-library/library.ts';
import type { LibraryEntry } from './ligand-library/library.ts';
import { LibraryColumns, lossWarnings } from './ligand-library/losses.ts';
import type { LibraryLosses } from './ligand-library/losses.ts';
import { unpackedName } from './packed-file.ts';
import { count } from './shown.ts';

/** Content of a library, as the service will read it. */
export interface LibraryFacts {
  readonly records: number;
  /** Records that equal an earlier one; they are docked and charged once. */
  readonly equal: readonly EqualRecord[];
  /** Records that no ligand can be read from; they fail alone. */
  readonly faults: readonly LibraryFault[];
  /** The heavy atoms of each ligand that is docked, by which it is priced; null where they cannot be counted. */
  readonly sizes: readonly (number | null)[];
  /** Names, columns or tags that do not stay with the ligands; null where all stay. */
  readonly losses: LibraryLosses | null;
}

/** A record whose structure an earlier record has. */
export interface EqualRecord {
  readonly line: number;
  readonly ligandId: string;
  /** The ligand as which it is docked. */
  readonly sameAs: string;
}

/** A record that no ligand can be read from. */
export interface LibraryFault {
  readonly line: number;
  readonly ligandId: string;
  readonly message: string;
}

/** A library file with what it holds. */
export interface LibraryFile extends LibraryFacts {
  readonly path: string;
  readonly format: LibraryFormat;
}

/** The formats of libraries, by how the names of files end. */
const LIBRARY_ENDINGS: Readonly<Record<string, LibraryFormat>> = {
  '.smi': 'smi',
  '.smiles': 'smi',
  '.ism': 'smi',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.sdf': 'sdf',
  '.sd': 'sdf',
  '.mol': 'sdf',
};

/** The formats of files that are one ligand. */
export const LIGAND_ENDINGS: Readonly<Record<string, 'sdf' | 'mol2' | 'pdbqt'>> = {
  '.sdf': 'sdf',
  '.sd': 'sdf',
  '.mol': 'sdf',
  '.mol2': 'mol2',
  '.pdbqt': 'pdbqt',
};

/** The media types of files of ligands. */
export const LIGAND_MEDIA_TYPES = {
  smi: 'chemical/x-daylight-smiles',
  csv: 'text/csv',
  sdf: 'chemical/x-mdl-sdfile',
  mol2: 'chemical/x-mol2',
  pdbqt: 'chemical/x-pdbqt',
} as const;

/** The most that a file of one ligand may unpack to. */
export const LIGAND_BOUND = {
  mostBytes: 10_000_000,
  beyond: 'unpacks to more than 10 MB; it is no single ligand. A library of many is docked by: dockyard dock',
} as const;

/** Advice for files that people have and that can be no library. */
const ADVICE: Readonly<Record<string, string>> = {
  '.zip': 'unpack it, and pack the file inside with gzip if you like (library.csv.gz)',
  '.xlsx': 'save the sheet as "CSV UTF-8" in your spreadsheet program',
  '.xls': 'save the sheet as "CSV UTF-8" in your spreadsheet program',
  '.ods': 'save the sheet as CSV in UTF-8 in your spreadsheet program',
  '.mol2':
    'a library is .smi, .csv or .sdf; Open Babel makes one: obabel library.mol2 -O library.sdf. A single ligand is docked as it is by dockyard dock, where no option makes it a batch (--batch, --library, --dry-run, --reuse, --stop-after, --sample, --shard-size)',
  '.pdbqt':
    'a prepared ligand has lost its bond orders; send the .sdf or SMILES that it was made from. As it is, it is docked by dockyard dock, where no option makes it a batch (--batch, --library, --dry-run, --reuse, --stop-after, --sample, --shard-size)',
  '.txt': 'call it .smi where each line is a SMILES and a name, or .tsv where it is a table with tabs',
};

const MOST_SHOWN = 5;

/** Finds the ending of a file's name, without that of a packed one. */
export function endingOf(named: string): string {
  return extname(unpackedName(named)).toLowerCase();
}

/**
 * Reads a library file; `docked` gets each record that is docked.
 * @throws CommandRefusal where the service would refuse the file.
 */
export async function readLibraryFile(
  named: string,
  folder: string,
  docked?: (entry: LibraryEntry) => void,
): Promise<LibraryFile> {
  const path = resolve(folder, named);
  const format = formatOf(named);
  const found = await stat(path).catch(() => null);
  if (found === null) throw new CommandRefusal('USAGE_INPUT', `${named} is not there.`);
  if (!found.isFile()) throw new CommandRefusal('USAGE_INPUT', `${named} is no file.`);
  return { path, format, ...(await readFacts(path, format, named, docked)) };
}

/** Whether a file is a library of more records than so many; no record behind these is read, and what cannot be read is none. */
export async function hasMoreRecords(named: string, folder: string, most: number): Promise<boolean> {
  const format = LIBRARY_ENDINGS[endingOf(named)];
  if (format === undefined) return false;
  let records = 0;
  try {
    for await (const _entry of readLibrary(createReadStream(resolve(folder, named)), format)) {
      records += 1;
      if (records > most) return true;
    }
  } catch {
    // The reading of the whole file reports its fault.
  }
  return false;
}

/** Reads what a library holds. @throws CommandRefusal where the service would refuse the library. */
export async function readFacts(
  path: string,
  format: LibraryFormat,
  named: string,
  docked: (entry: LibraryEntry) => void = () => undefined,
): Promise<LibraryFacts> {
  const faults: LibraryFault[] = [];
  const equal: EqualRecord[] = [];
  const sizes: (number | null)[] = [];
  const seen = new Map<string, string>();
  const columns = new LibraryColumns();
  let records = 0;
  try {
    for await (const entry of readLibrary(createReadStream(path), format)) {
      const { line, ligandId, fault, structureSha256, heavyAtoms } = entry;
      records += 1;
      columns.add(entry);
      const sameAs = seen.get(structureSha256);
      // The service compares readable records alone: each unreadable one is a ligand that fails by itself.
      if (fault !== null) faults.push({ line, ligandId, message: fault });
      else if (sameAs !== undefined) {
        equal.push({ line, ligandId, sameAs });
        continue;
      } else {
        seen.set(structureSha256, ligandId);
        docked(entry);
      }
      sizes.push(heavyAtoms);
    }
  } catch (error) {
    if (error instanceof AppError)
      throw new CommandRefusal(error.code, `${named}: ${error.publicMessage}`, error);
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandRefusal('USAGE_INPUT', `${named} cannot be read (${why}).`, error);
  }
  const [fault] = faults;
  if (fault !== undefined && faults.length === records) {
    const message = `${named}: none of the ${count(records)} records can be read. Line ${fault.line}: ${fault.message}`;
    throw new CommandRefusal('USAGE_LIGANDS', message);
  }
  return { records, equal, faults, sizes, losses: columns.losses };
}

function formatOf(named: string): LibraryFormat {
  const ending = endingOf(named);
  const format = LIBRARY_ENDINGS[ending];
  if (format !== undefined) return format;
  const ends = Object.keys(LIBRARY_ENDINGS).join(', ');
  const advice = ADVICE[ending] ?? `the end of its name tells what it is: ${ends}, or one of these and .gz`;
  throw new CommandRefusal('USAGE_LIGANDS', `${named} cannot be read as a library: ${advice}.`);
}

/** A library in words. */
export function libraryText({ records, equal, faults }: LibraryFacts): string {
  const parts = [`${count(records)} record${records === 1 ? '' : 's'}`];
  if (equal.length > 0) parts.push(`${count(equal.length)} equal to others (docked and charged once)`);
  if (faults.length > 0) parts.push(`${count(faults.length)} unreadable`);
  return parts.join(', ');
}

/** Makes the notes on a library for a person, record by record as far as few of them show it. */
export function libraryNotes({ faults, equal, losses }: LibraryFacts): readonly string[] {
  return [
    ...firstOf(faults, ({ line, message }) => `Line ${line}: ${message}`),
    ...firstOf(equal, ({ line, ligandId, sameAs }) => `Line ${line}: ${ligandId} equals ${sameAs}.`),
    ...(losses === null ? [] : lossWarnings(losses).map(({ message }) => message)),
  ];
}

function firstOf<One>(all: readonly One[], text: (one: One) => string): readonly string[] {
  const more = all.length - MOST_SHOWN;
  return [...all.slice(0, MOST_SHOWN).map(text), ...(more > 0 ? [`… and ${count(more)} more`] : [])];
}
