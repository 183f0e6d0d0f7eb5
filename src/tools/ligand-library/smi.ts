/** SMILES files: a SMILES and a name on each line, blanks between them. */
import type { Pieces } from '../pieces.ts';
import { placedLines } from './lines.ts';
import type { PlacedLine } from './lines.ts';
import { EXTENSION_NAME, NOTHING_DROPPED } from './record.ts';
import type { RawRecord } from './record.ts';
import { isSmilesHeading, looksLikeSmiles, smilesFault, withoutExtension } from './smiles.ts';
import { readText } from './text.ts';

const [TAB, BLANK, COMMENT] = [0x09, 0x20, 0x23] as const;
/** A name is cut where an id and a label have long been made of it. */
const MOST_NAME_BYTES = 16 * 1024;
const NONE: ReadonlyMap<string, string> = new Map();

/** Reads a SMILES file. A first line of headings, empty lines and lines that start with # are no records. */
export async function* readSmi(pieces: Pieces): AsyncGenerator<RawRecord, void> {
  let isFirst = true;
  for await (const lines of placedLines(pieces))
    for (const line of lines) {
      const found = recordOf(line);
      if (found === null) continue;
      const { smiles, record } = found;
      if (!isFirst || !isSmilesHeading(smiles)) yield record;
      isFirst = false;
    }
}

/** The record of a line; null where the line is blank or a comment. */
function recordOf({ number, start, bytes }: PlacedLine): { smiles: string; record: RawRecord } | null {
  let from = 0;
  while (bytes[from] === BLANK || bytes[from] === TAB) from += 1;
  // No SMILES starts with #, because a bond needs an atom before it.
  if (from === bytes.byteLength || bytes[from] === COMMENT) return null;
  const ends = [BLANK, TAB].map((sign) => bytes.indexOf(sign, from)).filter((at) => at !== -1);
  const to = Math.min(bytes.byteLength, ...ends);
  const smiles = bytes.toString('utf8', from, to);
  const { name, extension } = nameIn(bytes.subarray(to, to + MOST_NAME_BYTES));
  const record = {
    line: number,
    name,
    start: start + from,
    end: start + to,
    structureSha256: null,
    properties: extension === '' ? NONE : new Map([[EXTENSION_NAME, extension]]),
    dropped: NOTHING_DROPPED,
    fault: faultOf(smiles, name),
  };
  return { smiles, record };
}

/** The name behind a SMILES: where tabs stand between the columns, the second column, which may have blanks. */
function nameIn(bytes: Buffer): { readonly name: string; readonly extension: string } {
  const isTabbed = bytes[0] === TAB;
  const { text, extension } = withoutExtension(readText(bytes).text.trimStart());
  const end = isTabbed ? text.indexOf('\t') : -1;
  return { name: (end === -1 ? text : text.slice(0, end)).trim(), extension };
}

function faultOf(smiles: string, name: string): string | null {
  const fault = smilesFault(smiles);
  const [next = ''] = name.split(/\s/, 1);
  return fault !== null && looksLikeSmiles(next)
    ? `${fault} ${next.slice(0, LONGEST_SHOWN)} looks like one: the SMILES comes first.`
    : fault;
}

const LONGEST_SHOWN = 60;
