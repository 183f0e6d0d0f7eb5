/** SMILES files: a SMILES and a name on each line, blanks between them. */
import type { Pieces } from '../pieces.ts';
import { placedLines } from './lines.ts';
import type { PlacedLine } from './lines.ts';
import type { RawRecord } from './record.ts';
import { isSmilesHeading, smilesFault, structureSha256 } from './smiles.ts';

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
  // Where tabs stand between the columns, the name is the second of them and may have blanks.
  const next = bytes[to] === TAB ? bytes.indexOf(TAB, to + 1) : -1;
  const nameEnd = next === -1 ? to + MOST_NAME_BYTES : Math.min(next, to + MOST_NAME_BYTES);
  const record = {
    line: number,
    name: bytes.toString('utf8', to, nameEnd).trim(),
    start: start + from,
    end: start + to,
    structureSha256: structureSha256(bytes.subarray(from, to)),
    properties: NONE,
    fault: smilesFault(smiles),
  };
  return { smiles, record };
}
