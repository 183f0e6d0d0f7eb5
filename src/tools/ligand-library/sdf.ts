/**
 * SD files with any number of records. Of a record only its name, its tags and its place are kept: the structure is read from
 * its place where the ligand is prepared, so that stereo and charges stay as they are.
 */
import type { Pieces } from '../pieces.ts';
import { placedLines } from './lines.ts';
import type { PlacedLine } from './lines.ts';
import { nameColumns } from './names.ts';
import { LONGEST_PROPERTY, MOST_RECORD_BYTES, Properties } from './record.ts';
import type { RawRecord } from './record.ts';
import { refuse } from './codes.ts';
import { structureSha256 } from './smiles.ts';
import { readText } from './text.ts';

const END = Buffer.from('$$$$');
const MOLECULE_END = Buffer.from('M  END');
/** More lines than any value keeps, because each that is not blank has a character at least. */
const MOST_VALUE_LINES = 2 * LONGEST_PROPERTY;
/** Name, program and comment stand before the molecule. */
const HEADING_LINES = 3;
/** Place of the number of dimensions in the line of the program; nothing else of the heading is read. */
const DIMENSIONS = { line: 1, from: 20, to: 22 } as const;

/**
 * Reads an SD file; a last record may be without its end mark.
 * @throws LIBRARY_RECORD_TOO_LARGE.
 */
export async function* readSdf(pieces: Pieces): AsyncGenerator<RawRecord, void> {
  let record: RecordReader | null = null;
  for await (const lines of placedLines(pieces))
    for (const line of lines) {
      record ??= new RecordReader(line);
      if (!begins(line.bytes, END)) {
        record.take(line);
        continue;
      }
      yield record.end();
      record = null;
    }
  // Text behind the last end mark is a record, blank lines are none.
  if (record?.isBlank === false) yield record.end();
}

/**
 * The digest of the structure of a file that is one record, as a library's reader makes it; null where the file is not one record.
 */
export async function structureOfOne(pieces: Pieces): Promise<string | null> {
  let found: string | null = null;
  for await (const { fault, structureSha256: digest } of readSdf(pieces)) {
    if (fault !== null || found !== null) return null;
    found = digest;
  }
  return found;
}

/** Reads one record, line by line. */
class RecordReader {
  /** Whether every line so far was blank. */
  isBlank = true;
  readonly #line: number;
  readonly #start: number;
  /** The lines of the structure, whose digest is made of all of them at once. */
  readonly #structure: string[] = [];
  readonly #properties = new Properties();
  #end: number;
  #lines = 0;
  #name = '';
  #isMolecule = true;
  /** The tag whose value is read, and the lines of the value so far. */
  #tag: { readonly name: string; readonly lines: string[] } | null = null;

  constructor({ number, start }: PlacedLine) {
    [this.#line, this.#start, this.#end] = [number, start, start];
  }

  take({ start, bytes }: PlacedLine): void {
    this.#end = start + bytes.byteLength;
    if (this.#end - this.#start > MOST_RECORD_BYTES)
      throw refuse(
        'LIBRARY_RECORD_TOO_LARGE',
        `The record of line ${this.#line} has more than ${MOST_RECORD_BYTES} bytes.`,
      );
    if (this.isBlank) this.isBlank = bytes.toString('latin1').trim() === '';
    if (this.#lines === 0) this.#name = readText(bytes).text.trim();
    if (this.#isMolecule) this.#takeMolecule(bytes);
    else this.#takeTag(bytes);
    this.#lines += 1;
  }

  end(): RawRecord {
    this.#endTag();
    return {
      line: this.#line,
      name: this.#name === '' ? this.#taggedName() : this.#name,
      start: this.#start,
      end: this.#end,
      structureSha256: structureSha256(this.#structure.join('\n')),
      properties: this.#properties.found,
      dropped: this.#properties.dropped,
      fault: this.#isMolecule ? 'The record has no "M  END"; it is no MOL block.' : null,
    };
  }

  /** The name by a tag, such as IDNUMBER: vendors often leave the title blank. */
  #taggedName(): string {
    const tags = [...this.#properties.found];
    const [column] = nameColumns(tags.map(([tag]) => tag));
    return column === undefined ? '' : (tags[column]?.[1] ?? '');
  }

  /**
   * The name and the comments of a record say nothing of its structure. The dimensions do: an arrangement that lies in a plane is read
   * another way where it is said to be one of three dimensions.
   */
  #takeMolecule(bytes: Buffer): void {
    if (this.#lines === DIMENSIONS.line) {
      const dimensions = bytes.toString('latin1', DIMENSIONS.from, DIMENSIONS.to);
      this.#structure.push(/^3[dD]$/.test(dimensions) ? '3D' : '');
    } else if (this.#lines >= HEADING_LINES) this.#structure.push(bytes.toString('latin1'));
    if (begins(bytes, MOLECULE_END)) this.#isMolecule = false;
  }

  /** A value ends with a blank line, or where a program has left that out, with the next tag. */
  #takeTag(bytes: Buffer): void {
    const name = this.#tag?.lines.length === 0 ? null : tagIn(bytes);
    if (name !== null) {
      this.#endTag();
      this.#tag = { name, lines: [] };
      return;
    }
    const text = this.#tag === null ? '' : readText(bytes).text.trim();
    if (text === '') this.#endTag();
    else if ((this.#tag?.lines.length ?? 0) < MOST_VALUE_LINES) this.#tag?.lines.push(text);
  }

  #endTag(): void {
    if (this.#tag !== null) this.#properties.add(this.#tag.name, this.#tag.lines.join(' '));
    this.#tag = null;
  }
}

/** The name in the heading of a tag; null for any other line. */
function tagIn(bytes: Buffer): string | null {
  // The name of the tag is found without a regular expression, which a long line of brackets could keep busy for hours.
  const from = bytes[0] === '>'.charCodeAt(0) ? bytes.lastIndexOf('<') + 1 : 0;
  const to = from === 0 ? -1 : bytes.indexOf('>', from);
  return to > from ? bytes.toString('utf8', from, to) : null;
}

function begins(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.byteLength).equals(beginning);
}
