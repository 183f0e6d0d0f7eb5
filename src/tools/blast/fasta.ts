/**
 * Reads the beginning of the queries at submit, by the rules with which the session reads them all
 * (science/blast/src/dockyard_blast/fasta.py): what the beginning shows is refused before anything is held. A test gives
 * both readers the same files.
 */
import { AppError } from '../../domain/errors.ts';
import type { ToolRefusal } from '../../domain/codes/code.ts';
import { SEARCH_REFUSALS } from './codes.ts';

/** The type of sequences, as BLAST names it. */
export type Molecule = 'prot' | 'nucl';

/** The beginning of a file of queries. */
export interface Beginning {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
  readonly byteSize: number;
}

/** The most bytes of a file of queries. */
export const MOST_QUERY_BYTES = 64 * 1024 * 1024;

const MOST_LETTERS: Readonly<Record<Molecule, number>> = { prot: 100_000, nucl: 10_000_000 };
const MOST_RECORDS = 100_000;
const NAMES: Readonly<Record<Molecule, string>> = { prot: 'a protein', nucl: 'a nucleotide sequence' };
const STRANGE: Readonly<Record<Molecule, RegExp>> = {
  prot: /[^A-Z*]/iu,
  nucl: /[^ACGTURYKMSWBDHVNX]/iu,
};
/** Gaps, blanks, and the numbers of positions that stand by themselves. */
const IGNORED = /(?<!\S)[0-9]+(?!\S)|[\s.-]+/gu;
/** A line of a sequence without a title line; what else begins without one is no FASTA. */
const PLAIN = /^\s*[0-9]*[\sA-Za-z*.-]*[0-9]*\s*$/u;
/** End of the name of a query; other blanks are letters of it. */
const WORD_END = /[\t\v\f \u001c-\u001f\u0085\u2028\u2029]/u;
const LEAST_BASES = 30;
const LEAST_DIFFERENT = 3;
const MOSTLY = 0.95;

interface RawRecord {
  readonly number: number;
  readonly line: number;
  readonly title: string;
  /** The lines of the sequence follow this line. */
  readonly above: number;
  readonly lines: string[];
}

/**
 * Checks what the beginning shows and answers the number of queries, or null when the file goes on.
 * @throws QUERY_EMPTY, QUERY_INVALID, QUERY_TYPE_MISMATCH, QUERY_TOO_LARGE.
 */
export function checkQueries(beginning: Beginning, molecule: Molecule): number | null {
  const { isWhole, byteSize } = beginning;
  if (byteSize > MOST_QUERY_BYTES) {
    throw refuse('QUERY_TOO_LARGE', `The file has ${byteSize} bytes; at most ${MOST_QUERY_BYTES} are read.`);
  }
  const raws = recordsOf(textOf(beginning));
  if (raws.length === 0) {
    if (isWhole) throw refuse('QUERY_EMPTY', 'The file has no sequence.');
    return null;
  }
  // The last record of a beginning may go on in the rest of the file.
  const complete = isWhole ? raws : raws.slice(0, -1);
  const letters = complete.map((raw) => checkRecord(raw, molecule));
  if (isWhole && molecule === 'prot' && areBases(letters.join(''))) throw mismatch(raws[0], molecule);
  checkNames(complete, letters);
  return isWhole ? raws.length : null;
}

function textOf({ bytes, isWhole }: Beginning): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isWhole && buffer.toString('latin1').trim() === '')
    throw refuse('QUERY_EMPTY', 'The file has no sequence.');
  if (buffer[0] === 0x1f && buffer[1] === 0x8b)
    throw invalid(1, 1, 'the file is compressed; unpack it first');
  const mark = buffer.readUInt16BE(0) * Number(buffer.length > 1);
  if (mark === 0xfffe || mark === 0xfeff) {
    throw invalid(1, 1, 'the file is UTF-16; save it as plain text (UTF-8)');
  }
  const zero = buffer.indexOf(0);
  if (zero !== -1) {
    const before = buffer.toString('latin1', 0, zero);
    const line = before.split('\n').length;
    throw invalid(Math.max(1, before.split('>').length - 1), line, 'the file is binary and no FASTA text');
  }
  return buffer
    .toString('utf8')
    .replace(/^\uFEFF/u, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n');
}

function recordsOf(text: string): readonly RawRecord[] {
  const raws: RawRecord[] = [];
  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1;
    const raw = raws.at(-1);
    if (content.startsWith('>')) {
      const number = raws.length + 1;
      if (number > MOST_RECORDS) {
        throw refuse('QUERY_TOO_LARGE', `There are more than ${MOST_RECORDS} queries in the file.`);
      }
      const title = content.slice(1).trim();
      raws.push({ number, line, title: title === '' ? `Query_${number}` : title, above: line, lines: [] });
    } else if (raw !== undefined) {
      raw.lines.push(content.startsWith(';') ? '' : content);
    } else if (content.trim() !== '' && !content.startsWith(';')) {
      raws.push({ number: 1, line, title: 'Query_1', above: line - 1, lines: [content] });
    }
  }
  return raws;
}

/** The letters of a record, in capitals. */
function checkRecord(raw: RawRecord, molecule: Molecule): string {
  if (raw.above < raw.line) checkPlain(raw);
  const letters = raw.lines
    .map((content) => content.replace(IGNORED, ''))
    .join('')
    .toUpperCase();
  if (letters === '') throw invalid(raw.number, raw.line, 'it has no sequence');
  if (letters.length > MOST_LETTERS[molecule]) {
    throw refuse(
      'QUERY_TOO_LARGE',
      `Record ${raw.number} (line ${raw.line}) has ${letters.length} letters; at most ${MOST_LETTERS[molecule]} are searched.`,
    );
  }
  if (isOfOtherType(letters, molecule)) throw mismatch(raw, molecule);
  for (const [index, content] of raw.lines.entries()) {
    const strange = STRANGE[molecule].exec(content.replace(IGNORED, ''));
    if (strange === null) continue;
    throw invalid(raw.number, raw.above + index + 1, `'${strange[0]}' is no letter of ${NAMES[molecule]}`);
  }
  return letters;
}

function checkPlain(raw: RawRecord): void {
  const index = raw.lines.findIndex((content) => !PLAIN.test(content));
  if (index === -1) return;
  const why = 'the line is no sequence, and no line of > stands before it';
  throw invalid(raw.number, raw.above + index + 1, why);
}

function isOfOtherType(letters: string, molecule: Molecule): boolean {
  if (molecule === 'prot') return areBases(letters);
  const protein = count(letters, /[EFIJLOPQZ*]/g);
  const bases = count(letters, /[ACGTUNX]/g);
  const isLong = letters.length >= LEAST_BASES;
  return (protein >= 2 && protein * 20 >= letters.length) || (isLong && bases * 2 < letters.length);
}

function areBases(letters: string): boolean {
  const different =
    ['A', 'C', 'G'].filter((base) => letters.includes(base)).length + Number(/[TU]/.test(letters));
  return (
    letters.length >= LEAST_BASES &&
    different >= LEAST_DIFFERENT &&
    count(letters, /[ACGTUN]/g) >= MOSTLY * letters.length
  );
}

/** Two sequences of one name could not be told apart in the hits; the same record twice can. */
function checkNames(raws: readonly RawRecord[], letters: readonly string[]): void {
  const first = new Map<string, number>();
  for (const [index, { title, number, line }] of raws.entries()) {
    const name = title.split(WORD_END, 1)[0] ?? title;
    const known = first.get(name);
    if (known === undefined) {
      first.set(name, index);
    } else if (letters[known] !== letters[index]) {
      throw invalid(
        number,
        line,
        `it has the name '${name.slice(0, 80)}' of record ${known + 1}, and another sequence`,
      );
    }
  }
}

function count(text: string, letters: RegExp): number {
  return text.length - text.replace(letters, '').length;
}

function mismatch(raw: RawRecord | undefined, molecule: Molecule): AppError {
  const [found, program] =
    molecule === 'prot' ? ['a nucleotide sequence', 'blastn'] : ['a protein', 'blastp'];
  return refuse(
    'QUERY_TYPE_MISMATCH',
    `Record ${raw?.number ?? 1} (line ${raw?.line ?? 1}) is ${found}, not ${NAMES[molecule]}; ${program} searches such.`,
  );
}

function invalid(number: number, line: number, why: string): AppError {
  return refuse('QUERY_INVALID', `Record ${number}, line ${line}: ${why}.`);
}

function refuse(code: keyof typeof SEARCH_REFUSALS, message: string): AppError {
  const refusal: ToolRefusal = SEARCH_REFUSALS[code];
  return new AppError(refusal, `sceneFile: ${message}`);
}
