/**
 * Tables of ligands: comma, semicolon or tab between the cells, quotes as RFC 4180 has them. A quoted cell may go over several
 * lines. The column of SMILES is found by its heading; without headings the first two columns are SMILES and name.
 */
import type { Pieces } from '../pieces.ts';
import { placedLines } from './lines.ts';
import type { PlacedLine } from './lines.ts';
import { nameColumns } from './names.ts';
import { EXTENSION_NAME, MOST_RECORD_BYTES, Properties } from './record.ts';
import type { RawRecord } from './record.ts';
import { refuse } from './codes.ts';
import { looksLikeSmiles, smilesColumn, smilesFault, structureSha256, withoutExtension } from './smiles.ts';
import { readText } from './text.ts';

const MOST_COLUMNS = 1024;
const MOST_PARTS = 20_000;
const MOST_NAMED = 20;
const LONGEST_NAMED = 60;
const [QUOTE, BLANK, TAB] = [0x22, 0x20, 0x09] as const;
const DELIMITERS = ['\t', ';', ','] as const;

interface Cell {
  readonly text: string;
  /** The place of the text in the file. */
  readonly start: number;
  /** Whether the text stands at its place as it is; false for a cell with quotes within or of several lines. */
  readonly isPlain: boolean;
  /** Whether each character is one byte of the file, as in texts that are not UTF-8. */
  readonly isByteEach: boolean;
}

interface Row {
  readonly line: number;
  readonly cells: readonly Cell[];
}

interface Columns {
  readonly headings: readonly string[] | null;
  readonly smiles: number;
  /** The columns that may name a ligand, the best first; further ones are properties too. */
  readonly names: readonly number[];
}

/**
 * Reads a table.
 * @throws LIBRARY_COLUMN_MISSING, LIBRARY_RECORD_TOO_LARGE, and LIBRARY_UNREADABLE where a quote is never closed.
 */
export async function* readTable(pieces: Pieces): AsyncGenerator<RawRecord, void> {
  let columns: Columns | null = null;
  for await (const row of rowsOf(pieces)) {
    if (columns === null) {
      columns = columnsOf(row);
      if (columns.headings !== null) continue;
    }
    yield recordOf(row, columns);
  }
}

/** @throws LIBRARY_COLUMN_MISSING where the first row has neither the heading of SMILES nor a SMILES. */
function columnsOf({ cells }: Row): Columns {
  const headings = cells.map(({ text }) => text.trim());
  const smiles = smilesColumn(headings);
  if (smiles === -1) {
    if (looksLikeSmiles(headings[0] ?? '')) return { headings: null, smiles: 0, names: [1] };
    const named = headings.slice(0, MOST_NAMED).map((heading) => heading.slice(0, LONGEST_NAMED));
    const more = headings.length > named.length ? ` and ${headings.length - named.length} more` : '';
    throw refuse(
      'LIBRARY_COLUMN_MISSING',
      `The table has the columns ${named.join(', ')}${more}, but none is smiles.`,
    );
  }
  return { headings, smiles, names: nameColumns(headings) };
}

function recordOf({ line, cells }: Row, columns: Columns): RawRecord {
  const cell = cells[columns.smiles] ?? NO_CELL;
  const bytesOf = (text: string): number => (cell.isByteEach ? text.length : Buffer.byteLength(text));
  const { smiles, extension } = smilesIn(cell.text.trim());
  // The meaning of a SMILES's labels is part of its structure: a racemate is not the isomer that is drawn for it.
  const structure = extension === '' ? smiles : cell.text.trim();
  const start = cell.start + bytesOf(cell.text.slice(0, cell.text.indexOf(smiles)));
  const properties = new Properties();
  properties.add(EXTENSION_NAME, extension);
  for (const [index, { text }] of cells.entries())
    if (index !== columns.smiles && index !== columns.names[0])
      properties.add(columns.headings?.[index] ?? `column ${index + 1}`, text);
  return {
    line,
    name: columns.names.map((column) => (cells[column]?.text ?? '').trim()).find((name) => name !== '') ?? '',
    start,
    end: start + bytesOf(structure),
    structureSha256: cell.isPlain && !cell.isByteEach ? null : structureSha256(structure),
    properties: properties.found,
    dropped: properties.dropped,
    fault: cell.isPlain || smiles === '' ? smilesFault(smiles) : 'The cell of the SMILES has quotes within.',
  };
}

const NO_CELL: Cell = { text: '', start: 0, isPlain: true, isByteEach: false };

/** The SMILES of a cell, and the extension of ChemAxon where the cell has nothing else behind the SMILES. */
function smilesIn(text: string): { readonly smiles: string; readonly extension: string } {
  const [smiles = ''] = text.split(/\s/, 1);
  const rest = withoutExtension(text.slice(smiles.length).trim());
  return rest.text === '' ? { smiles, extension: rest.extension } : { smiles: text, extension: '' };
}

async function* rowsOf(pieces: Pieces): AsyncGenerator<Row, void> {
  let reader: RowReader | null = null;
  for await (const lines of placedLines(pieces))
    for (const line of lines) {
      if (reader === null && isBeforeHeading(line.bytes)) continue;
      reader ??= new RowReader(delimiterOf(line.bytes));
      const row = reader.take(line);
      if (row?.cells.some(({ text }) => text.trim() !== '') === true) yield row;
    }
  reader?.end();
}

/** Whether a line is none of the table: `sep=,`, which tells Excel the delimiter, or a remark of the file, as `!Release`. */
function isBeforeHeading(line: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?(?:sep=.|!)/i.test(line.toString('latin1'));
}

/** The delimiter: of tab, semicolon and comma the first that stands in the first line outside of quotes. */
function delimiterOf(line: Buffer): number {
  const text = line.toString('latin1').replaceAll(/"[^"]*"/g, '');
  return (DELIMITERS.find((sign) => text.includes(sign)) ?? ',').charCodeAt(0);
}

/** Puts rows together of lines. */
class RowReader {
  readonly #delimiter: number;
  #line = 0;
  #size = 0;
  #cells: Cell[] = [];
  /** Of the present cell: its place, and the parts of its text that are cut off already. */
  #start = 0;
  #parts: Buffer[] = [];
  /** A quote opens a cell only before anything else; one that is closed is not opened again. */
  #quote: 'before' | 'open' | 'closed' | 'none' = 'before';
  #isPlain = true;

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  /** Takes a line; answers the row that the line ends, or null while a quote is open. */
  take({ number, start, bytes }: PlacedLine): Row | null {
    if (this.#quote === 'open') {
      this.#cut(Buffer.from('\n'));
      this.#isPlain = false;
    } else {
      this.#line = number;
      this.#beginCell(start);
    }
    this.#size += bytes.byteLength + 1;
    if (this.#size > MOST_RECORD_BYTES) throw this.#tooLarge(`has more than ${MOST_RECORD_BYTES} bytes`);
    let from = 0;
    if (this.#quote === 'before' && !bytes.includes(QUOTE)) {
      // Most rows have no quote, and such a row is cut at its delimiters alone.
      for (let at = bytes.indexOf(this.#delimiter); at !== -1; at = bytes.indexOf(this.#delimiter, from)) {
        this.#endCell(bytes.subarray(from, at));
        from = at + 1;
        this.#beginCell(start + from);
      }
      return this.#endRow(bytes.subarray(from));
    }
    for (let at = 0; at < bytes.byteLength; at += 1) {
      const byte = bytes[at];
      if (this.#quote === 'open') {
        if (byte !== QUOTE) continue;
        this.#cut(bytes.subarray(from, at));
        from = at + 1;
        // The second of two quotes stands for itself.
        if (bytes[from] === QUOTE) [at, this.#isPlain] = [from, false];
        else this.#quote = 'closed';
      } else if (byte === this.#delimiter) {
        this.#endCell(bytes.subarray(from, at));
        from = at + 1;
        this.#beginCell(start + from);
      } else if (byte === QUOTE && this.#quote === 'before') {
        [from, this.#quote] = [at + 1, 'open'];
        this.#start = start + from;
      } else if (byte !== BLANK && byte !== TAB) {
        if (this.#quote === 'closed') this.#isPlain = false;
        else this.#quote = 'none';
      }
    }
    if (this.#quote === 'open') {
      this.#cut(bytes.subarray(from));
      return null;
    }
    return this.#endRow(bytes.subarray(from));
  }

  #endRow(last: Buffer): Row {
    this.#endCell(last);
    const row = { line: this.#line, cells: this.#cells };
    this.#cells = [];
    this.#size = 0;
    return row;
  }

  /** @throws LIBRARY_UNREADABLE where a quote is open at the end of the file. */
  end(): void {
    if (this.#quote === 'open')
      throw refuse(
        'LIBRARY_UNREADABLE',
        `The quote that opens in the row of line ${this.#line} is never closed.`,
      );
  }

  #beginCell(start: number): void {
    [this.#parts, this.#start, this.#quote, this.#isPlain] = [[], start, 'before', true];
  }

  /** Keeps a part of the present cell; many parts become one, because each takes more memory than its few bytes. */
  #cut(part: Buffer): void {
    this.#parts.push(part);
    if (this.#parts.length > MOST_PARTS) this.#parts = [Buffer.concat(this.#parts)];
  }

  #endCell(last: Buffer): void {
    if (this.#cells.length === MOST_COLUMNS) throw this.#tooLarge(`has more than ${MOST_COLUMNS} columns`);
    const { text, isByteEach } = readText(
      this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]),
    );
    this.#cells.push({ text, start: this.#start, isPlain: this.#isPlain, isByteEach });
  }

  #tooLarge(why: string): Error {
    return refuse('LIBRARY_RECORD_TOO_LARGE', `The row of line ${this.#line} ${why}.`);
  }
}
