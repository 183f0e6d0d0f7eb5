/**
 * Reads the lines of a file that an instance wrote, one at a time, because a list of all lines may take many times the
 * memory of the file.
 */

/** The longest line that the session writes is a line of SMILES; it is far shorter than this. */
const LONGEST_LINE_BYTES = 64 * 1024;
/** A receptor of 100,000 atoms has a tenth of these lines. */
const MOST_LINES = 1_000_000;
const NEWLINE = 0x0a;

/** Whether a file has at most as many lines as an honest file, and no line longer than the longest honest line. */
export function hasHonestLines(bytes: Uint8Array): boolean {
  let [lines, from] = [0, 0];
  while (from < bytes.byteLength) {
    const end = endOfLine(bytes, from);
    lines += 1;
    if (lines > MOST_LINES || end - from > LONGEST_LINE_BYTES) return false;
    from = end + 1;
  }
  return true;
}

/** The lines of a file in UTF-8, without their ends. */
export function* linesOf(bytes: Uint8Array): Generator<string> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from = 0;
  while (from < bytes.byteLength) {
    const end = endOfLine(bytes, from);
    const line = text.toString('utf8', from, end);
    yield line.endsWith('\r') ? line.slice(0, -1) : line;
    from = end + 1;
  }
}

function endOfLine(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(NEWLINE, from);
  return end === -1 ? bytes.byteLength : end;
}

/** Whether a text is a plain number; spaces around it do not count. */
export function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text.trim());
}
