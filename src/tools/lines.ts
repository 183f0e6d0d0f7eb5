/**
 * Reads the lines of a file that an instance wrote, one at a time, because a list of all lines may take many times the
 * memory of the file.
 */
import type { Pieces } from './pieces.ts';

/** The most that a file of lines may hold. */
export interface LineBounds {
  readonly lineBytes: number;
  readonly lines: number;
}

/**
 * The bounds of structures and tables. The longest line that a session writes there is a line of SMILES, which is far
 * shorter; a receptor of 100,000 atoms has a tenth of these lines.
 */
export const LINE_BOUNDS: LineBounds = { lineBytes: 64 * 1024, lines: 1_000_000 };
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * Gives each line, in UTF-8 and without its end, to `take`. False where a file has more lines than an honest file, or a
 * longer line, or where `take` answers false; the rest of the file is not read then.
 */
export async function readLines(
  pieces: Pieces,
  take: (line: string) => boolean,
  bounds: LineBounds = LINE_BOUNDS,
): Promise<boolean> {
  let [lines, rest] = [0, Buffer.alloc(0)];
  const takeLine = (bytes: Buffer, from: number, to: number): boolean => {
    lines += 1;
    if (lines > bounds.lines || to - from > bounds.lineBytes) return false;
    const end = to > from && bytes[to - 1] === RETURN ? to - 1 : to;
    return take(bytes.toString('utf8', from, end));
  };
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
      if (!takeLine(bytes, from, to)) return false;
      from = to + 1;
    }
    rest = bytes.subarray(from);
    if (rest.byteLength > bounds.lineBytes) return false;
  }
  return rest.byteLength === 0 || takeLine(rest, 0, rest.byteLength);
}

/** Whether a text is a plain number; spaces around it do not count. */
export function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text.trim());
}
