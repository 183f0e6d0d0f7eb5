/**
 * A library file of this machine: read here first, so that what the service would refuse is told before anything is sent, and its
 * price is known; then stored as it is, once, however often it is docked.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';

import { ClientError, uploadStateFolder } from '../../../client/index.ts';
import type { Client, UploadedFile } from '../../../client/index.ts';
import type { LibraryFormat } from '../../../domain/requests.ts';
import { AppError } from '../../../domain/errors.ts';
import { readLibrary } from '../../../tools/ligand-library/library.ts';
import { LibraryColumns, lossesText } from '../../../tools/ligand-library/losses.ts';
import type { LibraryLosses } from '../../../tools/ligand-library/losses.ts';
import type { CommandContext } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { createUploadBar } from '../../upload-bar.ts';

/** What a library holds, as the service will read it. */
export interface LibraryFacts {
  readonly records: number;
  /** Records that equal an earlier one; they are docked and charged once. */
  readonly equal: number;
  /** Records that no ligand can be read from; they fail alone. */
  readonly faults: readonly LibraryFault[];
  /** The heavy atoms of each ligand that is docked, by which it is priced; null where they cannot be counted. */
  readonly sizes: readonly (number | null)[];
  /** Columns or tags that do not stay with the ligands; null where all stay. */
  readonly losses: LibraryLosses | null;
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

const FORMATS: Readonly<Record<string, LibraryFormat>> = {
  '.smi': 'smi',
  '.smiles': 'smi',
  '.ism': 'smi',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.sdf': 'sdf',
  '.sd': 'sdf',
  '.mol': 'sdf',
};
const MEDIA_TYPES = {
  smi: 'chemical/x-daylight-smiles',
  csv: 'text/csv',
  sdf: 'chemical/x-mdl-sdfile',
} satisfies Record<LibraryFormat, string>;
const PACKED = /\.gz$/i;
const LONGEST_LABEL = 512;

/** Reads a library file. @throws CommandProblem where the service would refuse it. */
export async function readLibraryFile(named: string, folder: string): Promise<LibraryFile> {
  const path = resolve(folder, named);
  const format = formatOf(named);
  const found = await stat(path).catch(() => null);
  if (found === null) throw refused('USAGE_INPUT', `${named} is not there.`);
  if (!found.isFile()) throw refused('USAGE_INPUT', `${named} is no file.`);
  return { path, format, ...(await readFacts(path, format, named)) };
}

/** Reads what a library holds. @throws CommandProblem where the service would refuse it. */
export async function readFacts(path: string, format: LibraryFormat, named: string): Promise<LibraryFacts> {
  const faults: LibraryFault[] = [];
  const sizes: (number | null)[] = [];
  const seen = new Set<string>();
  const columns = new LibraryColumns();
  let records = 0;
  try {
    for await (const record of readLibrary(createReadStream(path), format)) {
      const { line, ligandId, fault, structureSha256, heavyAtoms } = record;
      records += 1;
      columns.add(record.properties, record.dropped);
      if (fault !== null) faults.push({ line, ligandId, message: fault });
      // The service compares readable records alone: each unreadable one is a ligand that fails by itself.
      else if (seen.has(structureSha256)) continue;
      else seen.add(structureSha256);
      sizes.push(heavyAtoms);
    }
  } catch (error) {
    if (error instanceof AppError) throw refused(error.code, `${named}: ${error.publicMessage}`, error);
    const why = error instanceof Error ? error.message : String(error);
    throw refused('USAGE_INPUT', `${named} cannot be read (${why}).`, error);
  }
  const [fault] = faults;
  if (fault !== undefined && faults.length === records) {
    const message = `${named}: none of the ${count(records)} records can be read. Line ${fault.line}: ${fault.message}`;
    throw refused('USAGE_LIGANDS', message);
  }
  return { records, equal: records - sizes.length, faults, sizes, losses: columns.losses };
}

function formatOf(named: string): LibraryFormat {
  const extension = extname(named.replace(PACKED, '')).toLowerCase();
  const format = FORMATS[extension];
  if (format !== undefined) return format;
  const ends = Object.keys(FORMATS).join(', ');
  const advice =
    ADVICE[extension] ?? `the end of its name tells what it is: ${ends}, or one of these and .gz`;
  throw refused('USAGE_LIGANDS', `${named} cannot be read as a library: ${advice}.`);
}

/** What to do with files that people have and no library can be. */
const ADVICE: Readonly<Record<string, string>> = {
  '.zip': 'unpack it, and pack the file inside with gzip if you like (library.csv.gz)',
  '.xlsx': 'save the sheet as "CSV UTF-8" in your spreadsheet program',
  '.xls': 'save the sheet as "CSV UTF-8" in your spreadsheet program',
  '.ods': 'save the sheet as CSV in UTF-8 in your spreadsheet program',
  '.mol2': 'a library is .smi, .csv or .sdf; Open Babel makes one: obabel library.mol2 -O library.sdf',
  '.pdbqt': 'a prepared ligand has lost its bond orders; send the .sdf or SMILES that it was made from',
  '.txt': 'call it .smi where each line is a SMILES and a name, or .tsv where it is a table with tabs',
};

/** A library in words. */
export function libraryText({ records, equal, faults }: LibraryFacts): string {
  const parts = [`${count(records)} record${records === 1 ? '' : 's'}`];
  if (equal > 0) parts.push(`${count(equal)} equal to others (docked and charged once)`);
  if (faults.length > 0) parts.push(`${count(faults.length)} unreadable`);
  return parts.join(', ');
}

/** The unreadable records, the first of them one by one, and what does not stay with the ligands. */
export function faultLines({ faults, losses }: LibraryFacts): readonly string[] {
  const shown = faults.slice(0, MOST_FAULTS_SHOWN);
  const lines = shown.map(({ line, message }) => `Line ${line}: ${message}`);
  const more = faults.length - shown.length;
  return [
    ...lines,
    ...(more > 0 ? [`… and ${count(more)} more`] : []),
    ...(losses === null ? [] : [lossesText(losses)]),
  ];
}

const MOST_FAULTS_SHOWN = 5;

/** Stores a library and registers it; a file that is stored already is not sent again. @returns the id of the artifact. */
export async function placeLibrary(
  { screen, env }: Pick<CommandContext, 'screen' | 'env'>,
  client: Client,
  { path, format }: LibraryFile,
): Promise<string> {
  const name = basename(path);
  const bar = createUploadBar(screen, name);
  const contentType = PACKED.test(path) ? 'application/gzip' : MEDIA_TYPES[format];
  const send = async (skipStored: boolean): Promise<UploadedFile> => {
    try {
      const sent = await client.upload(
        { path, contentType },
        { skipStored, stateFolder: uploadStateFolder(env), onProgress: bar.show },
      );
      bar.end(sent.skipped ? 'stored already' : 'stored');
      return sent;
    } catch (error) {
      bar.end(null);
      throw error;
    }
  };
  const register = async ({ storageKey }: UploadedFile): Promise<string> => {
    // The same stored file is the same artifact. A key of its own for each command has the service look at the bytes again.
    const label = name.slice(0, LONGEST_LABEL);
    const { artifact } = await client.registerArtifact({ storageKey, format, label });
    return artifact.artifactId;
  };
  const sent = await send(true);
  try {
    return await register(sent);
  } catch (error) {
    // The bytes of a file that was stored before may have been removed or changed in the store.
    if (!sent.skipped || !(error instanceof ClientError) || !LOST_CODES.has(error.code)) throw error;
    return register(await send(false));
  }
}

const LOST_CODES: ReadonlySet<string> = new Set(['INPUT_NOT_FOUND', 'CHECKSUM_MISMATCH']);

/** A number of things with its thousands apart. */
export function count(value: number): string {
  return value.toLocaleString('en-GB');
}

function refused(code: string, message: string, cause?: unknown): CommandProblem {
  return new CommandProblem(EXIT.refused, code, message, cause);
}
