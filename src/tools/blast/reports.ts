/**
 * Counts what the three reports of a search hold, piece by piece. A report of one query may fill the whole file, with ten
 * thousands of hits, so no report is in memory as a whole either.
 */
import type { JsonScanner } from '../json-scanner.ts';
import { readLines } from '../lines.ts';
import { faultOf, TextFault, textOf } from '../pieces.ts';
import type { Pieces } from '../pieces.ts';
import { createSchemaScanner } from '../stream-schema.ts';
import { readInLines } from './line-reader.ts';
import type { LineReader } from './line-reader.ts';
import { MOST_OUTPUT_BYTES } from './parameters.ts';
import REPORT_SCHEMA from './report.schema.json' with { type: 'json' };

/** Names of queries and sequences are the first words of their titles, which nothing bounds; lines are as many as fit. */
const HIT_LINES = { lineBytes: 1024 * 1024, lines: MOST_OUTPUT_BYTES };
const COLUMNS = 12;
const NAMES = 2;
/** A query of a repeat has ten thousands of hits, each of some twenty values. */
const MOST_VALUES = 4_000_000;

const HEAD = '{"BlastOutput2":[';
const FOOT = ']}';
const SECTION = '\n\nQuery= ';

/** The number of hits in a table; null when a line is none. */
export async function countRows(pieces: Pieces): Promise<number | null> {
  let rows = 0;
  const isTable = await readLines(pieces, isRow, HIT_LINES);
  return isTable ? rows : null;

  function isRow(line: string): boolean {
    rows += 1;
    const columns = line.split('\t', COLUMNS + 1);
    return (
      columns.length === COLUMNS &&
      columns.slice(NAMES).every((text) => text !== '' && Number.isFinite(Number(text)))
    );
  }
}

/** The number of reports, each on a line of its own; null when the file is something else. */
export async function countReports(pieces: Pieces): Promise<number | null> {
  const reader = new ReportLines();
  return (await readInLines(pieces, reader)) ? reader.reports : null;
}

/** The number of sections of an alignments file; null when the file is no text. */
export async function countSections(pieces: Pieces): Promise<number | null> {
  // The first line of a file has nothing before it, like a line after an end of line.
  let [sections, rest] = [0, '\n'];
  const fault = await faultOf(async () => {
    for await (const text of textOf(pieces)) {
      const seen = rest + text;
      for (let at = seen.indexOf(SECTION); at !== -1; at = seen.indexOf(SECTION, at + 1)) sections += 1;
      rest = seen.slice(1 - SECTION.length);
    }
  });
  return fault === null ? sections : null;
}

/** Reads a report file, line by line, where a line comes in parts of any length. */
class ReportLines implements LineReader {
  reports = 0;
  #lines = 0;
  #isClosed = false;
  /** Whether the report before ended with a comma, so that another report follows. */
  #isContinued = false;
  /** The first or the last line of the file, as far as it came. */
  #frame = '';
  /** Reads the report of this line; null in a line without one. */
  #scanner: JsonScanner | null = null;
  /** The last character that came of a report: at the end of its line it may be the comma behind the report. */
  #last = '';

  take(part: string): void {
    if (part === '') return;
    if (this.#isClosed) throw new TextFault('There is something behind the last line.');
    const isFrame = this.#lines === 0 || this.#frame !== '' || part.startsWith(FOOT.charAt(0));
    if (this.#scanner === null && isFrame) {
      this.#frame += part;
      if (this.#frame.length > HEAD.length) throw new TextFault('The first or last line is another one.');
      return;
    }
    this.#scanner ??= this.#begin();
    this.#scanner.write(this.#last + part.slice(0, -1));
    this.#last = part.slice(-1);
  }

  endLine(): void {
    if (this.#isClosed) throw new TextFault('There is something behind the last line.');
    if (this.#scanner !== null) this.#endReport(this.#scanner);
    else if (this.#frame !== (this.#lines === 0 ? HEAD : FOOT)) throw new TextFault('A line is no report.');
    else this.#isClosed = this.#lines > 0;
    if (this.#isClosed && this.#isContinued) throw new TextFault('The last report ends with a comma.');
    this.#lines += 1;
    this.#frame = '';
  }

  end(): void {
    if (!this.#isClosed) this.endLine();
    if (!this.#isClosed) throw new TextFault('The last line is missing.');
  }

  #begin(): JsonScanner {
    if (this.reports > 0 && !this.#isContinued)
      throw new TextFault('Two reports have no comma between them.');
    return createSchemaScanner(REPORT_SCHEMA, MOST_VALUES);
  }

  #endReport(scanner: JsonScanner): void {
    this.#isContinued = this.#last === ',';
    if (!this.#isContinued) scanner.write(this.#last);
    scanner.end();
    this.#scanner = null;
    this.#last = '';
    this.reports += 1;
  }
}
