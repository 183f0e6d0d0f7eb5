/** SMILES files: a SMILES and a name on each line, blanks between them. */
import type { Pieces } from '../pieces.ts';
import { placedLines } from './lines.ts';
import type { PlacedLine } from './lines.ts';
import { EXTENSION_NAME, NOTHING_DROPPED } from './record.ts';
import type { RawRecord } from './record.ts';
import { isSmilesHeading, looksLikeSmiles, smilesFault, withoutExtension } from './smiles.ts';
import { readText } from './text.ts';

const [TAB, BLANK, COMMENT, BAR] = [0x09, 0x20, 0x23, 0x7c] as const;
/** A name is cut where an id and a label have long been made of it. */
const MOST_NAME_BYTES = 16 * 1024;
const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Reads a SMILES file. A first line of headings, empty lines and lines that start with # are no records. Where blanks stand between
 * more than two headings, lines of as many words have a word for each, and the second one is the name.
 */
export async function* readSmi(pieces: Pieces): AsyncGenerator<RawRecord, void> {
  let columns: number | null = null;
  for await (const lines of placedLines(pieces))
    for (const line of lines) {
      const found = recordOf(line, columns ?? 0);
      if (found === null) continue;
      const { smiles, record } = found;
      const isHeading: boolean = columns === null && isSmilesHeading(smiles);
      columns ??= isHeading ? 1 + wordsOf(record.name).length : 0;
      if (!isHeading) yield record;
    }
}

/** The record of a line; null where the line is blank or a comment. */
function recordOf(
  { number, start, bytes }: PlacedLine,
  columns: number,
): { smiles: string; record: RawRecord } | null {
  let from = 0;
  while (bytes[from] === BLANK || bytes[from] === TAB) from += 1;
  // No SMILES starts with #, because a bond needs an atom before it.
  if (from === bytes.byteLength || bytes[from] === COMMENT) return null;
  const ends = [BLANK, TAB].map((sign) => bytes.indexOf(sign, from)).filter((at) => at !== -1);
  const to = Math.min(bytes.byteLength, ...ends);
  const smiles = bytes.toString('utf8', from, to);
  const { name, extension } = nameIn(bytes.subarray(to, to + MOST_NAME_BYTES), columns);
  // The meaning of a SMILES's labels is part of its structure: a racemate is not the isomer that is drawn for it.
  const end = extension === '' ? to : bytes.indexOf(BAR, bytes.indexOf(BAR, to) + 1) + 1;
  const record = {
    line: number,
    name,
    start: start + from,
    end: start + end,
    structureSha256: null,
    properties: extension === '' ? NONE : new Map([[EXTENSION_NAME, extension]]),
    dropped: NOTHING_DROPPED,
    fault: faultOf(smiles, name),
  };
  return { smiles, record };
}

/** The name behind a SMILES: where tabs stand between the columns, the second column, which may have blanks. */
function nameIn(bytes: Buffer, columns: number): { readonly name: string; readonly extension: string } {
  const isTabbed = bytes[0] === TAB;
  const { text, extension } = withoutExtension(readText(bytes).text.trimStart());
  const end = isTabbed ? text.indexOf('\t') : -1;
  const name = (end === -1 ? text : text.slice(0, end)).trim();
  const words = wordsOf(name);
  const [second = name] = !isTabbed && columns > 2 && words.length === columns - 1 ? words : [];
  return { name: second, extension };
}

function wordsOf(name: string): readonly string[] {
  return name === '' ? [] : name.split(/\s+/);
}

function faultOf(smiles: string, name: string): string | null {
  const fault = smilesFault(smiles);
  const [next = ''] = name.split(/\s/, 1);
  return fault !== null && looksLikeSmiles(next)
    ? `${fault} ${next.slice(0, LONGEST_SHOWN)} looks like one: the SMILES comes first.`
    : fault;
}

const LONGEST_SHOWN = 60;
