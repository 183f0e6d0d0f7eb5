/**
 * Reads the files of a database before they are stored: one FASTA file, or the ready volumes of a folder. Sequences and
 * letters are counted in FASTA, and stand in the index of each volume.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { SequenceType } from '../../domain/databases.ts';
import { AppError } from '../../domain/errors.ts';

/** A file of a database on this machine. */
export interface SourceFile {
  readonly fileName: string;
  readonly path: string;
  readonly byteSize: number;
  readonly sha256: string;
}

/** Files of a database, with their content in numbers. */
export interface DatabaseFacts {
  readonly files: readonly SourceFile[];
  readonly checksum: string;
  readonly sequences: number;
  readonly letters: number;
}

const VOLUME = /^\.(?:\d{2,3}\.)?([pn])(?:hr|in|sq|og|sd|si|nd|ni|al|db|ot|tf|to|js|xm|hd|hi)$/;
const TYPE_OF_LETTER: Readonly<Record<string, SequenceType>> = { p: 'prot', n: 'nucl' };
const PROTEIN = 1;
const BASES = /[ACGTUN]/giu;
/** Letters of FASTA are judged by so many of them. */
const SAMPLE = 1_000_000;
const MOSTLY = 0.9;

/**
 * Reads a FASTA file, or the volumes of this name in a folder.
 * @throws VALIDATION_ERROR when the files are no database of this name and type.
 */
export async function readDatabase(
  path: string,
  named: { readonly name: string; readonly type: SequenceType },
): Promise<DatabaseFacts> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw refuse(`There is no file ${path}.`);
  const { files, ...sizes } = found.isDirectory()
    ? await readVolumes(path, named)
    : await readFasta(path, named);
  if (sizes.sequences === 0 || sizes.letters === 0) throw refuse(`${path} has no sequence.`);
  return { files, checksum: checksumOf(files), ...sizes };
}

/** SHA-256 of the one file, or of the lines `{sha256}  {name}` of several, sorted by name. */
export function checksumOf(files: readonly Pick<SourceFile, 'fileName' | 'sha256'>[]): string {
  const [first] = files;
  if (first !== undefined && files.length === 1) return first.sha256;
  const lines = files.map(({ fileName, sha256 }) => `${sha256}  ${fileName}\n`);
  lines.sort((a, b) => (a.slice(64) < b.slice(64) ? -1 : 1));
  return createHash('sha256').update(lines.join('')).digest('hex');
}

type Read = Omit<DatabaseFacts, 'checksum'>;

async function readFasta(
  path: string,
  { name, type }: { readonly name: string; readonly type: SequenceType },
): Promise<Read> {
  const hash = createHash('sha256');
  let [byteSize, sequences, letters, bases, judged] = [0, 0, 0, 0, 0];
  let [isTitle, isLineStart] = [false, true];
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const bytes = Buffer.from(chunk);
    hash.update(bytes);
    byteSize += bytes.byteLength;
    for (const [index, line] of bytes.toString('latin1').split('\n').entries()) {
      if (index > 0) isLineStart = true;
      if (isLineStart && line !== '') {
        isTitle = line.startsWith('>') || line.startsWith(';');
        if (line.startsWith('>')) sequences += 1;
        else if (sequences === 0 && !isTitle && line.trim() !== '')
          throw refuse(`${path} is no FASTA: it begins with no line of >.`);
        isLineStart = false;
      }
      if (isTitle) continue;
      const plain = line.replace(/[^A-Za-z*]/g, '');
      letters += plain.length;
      if (judged >= SAMPLE) continue;
      judged += plain.length;
      bases += plain.match(BASES)?.length ?? 0;
    }
  }
  const is: SequenceType = bases >= MOSTLY * judged ? 'nucl' : 'prot';
  if (judged > 0 && is !== type) throw refuse(`${path} looks like a database of type ${is}, not ${type}.`);
  const file = { fileName: `${name}.fasta`, path, byteSize, sha256: hash.digest('hex') };
  return { files: [file], sequences, letters };
}

async function readVolumes(
  folder: string,
  { name, type }: { readonly name: string; readonly type: SequenceType },
): Promise<Read> {
  const names = (await readdir(folder)).filter((file) => file.startsWith(`${name}.`)).sort();
  const volumes = names.flatMap((fileName) => {
    const [, letter = ''] = VOLUME.exec(fileName.slice(name.length)) ?? [];
    return TYPE_OF_LETTER[letter] === type ? [fileName] : [];
  });
  const indexes = volumes.filter((fileName) => fileName.endsWith('in'));
  if (indexes.length === 0) {
    throw refuse(
      `${folder} has no volumes of type ${type} that are called ${name}: ready volumes keep the name that they were made with.`,
    );
  }
  const sizes = await Promise.all(
    indexes.map(async (fileName) => readIndex(await readFile(join(folder, fileName)), type)),
  );
  const files: SourceFile[] = [];
  for (const fileName of volumes) {
    const path = join(folder, fileName);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(Buffer.from(chunk));
    files.push({ fileName, path, byteSize: (await stat(path)).size, sha256: hash.digest('hex') });
  }
  return {
    files,
    sequences: sizes.reduce((sum, size) => sum + size.sequences, 0),
    letters: sizes.reduce((sum, size) => sum + size.letters, 0),
  };
}

/** The beginning of an index: format, type, texts with their lengths, then the number of sequences and of letters. */
function readIndex(
  bytes: Buffer,
  type: SequenceType,
): { readonly sequences: number; readonly letters: number } {
  try {
    const format = bytes.readInt32BE(0);
    const is: SequenceType = bytes.readInt32BE(4) === PROTEIN ? 'prot' : 'nucl';
    if (is !== type) throw refuse(`The volumes are of type ${is}, not ${type}.`);
    // Format 5 has the number of the volume, and the name of its table of accessions besides title and date.
    let at = format === 5 ? 12 : 8;
    for (let texts = format === 5 ? 3 : 2; texts > 0; texts -= 1) at += 4 + bytes.readInt32BE(at);
    return { sequences: bytes.readInt32BE(at), letters: Number(bytes.readBigInt64LE(at + 4)) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refuse('The index of the volumes is damaged.');
  }
}

function refuse(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message);
}
