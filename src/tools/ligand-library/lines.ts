/** The lines of a library with their places in the file. Lines end with LF, CR LF or CR alone, as programs write them. */
import type { Pieces } from '../pieces.ts';
import { MOST_RECORD_BYTES } from './record.ts';
import { refuse } from './codes.ts';

/** A line without its end. */
export interface PlacedLine {
  /** Counted from 1. */
  readonly number: number;
  /** The place of the line's first byte in the file. */
  readonly start: number;
  readonly bytes: Buffer;
}

/** Ten thousand records of two hundred atoms have a third of these lines. */
const MOST_LINES = 20_000_000;
const [NEWLINE, RETURN] = [0x0a, 0x0d] as const;
const MARK = Buffer.from('\uFEFF', 'utf8');

/**
 * The lines of a text in UTF-8, those of a piece together, because a step of a stream takes longer than a line. The mark of
 * UTF-8 before the first line is no part of the line.
 * @throws LIBRARY_RECORD_TOO_LARGE where a line is longer than a record may be, and LIBRARY_TOO_LARGE.
 */
export async function* placedLines(pieces: Pieces): AsyncGenerator<readonly PlacedLine[], void> {
  const reader = new LineReader();
  for await (const piece of pieces) yield reader.take(piece);
  yield reader.end();
}

/** Cuts pieces into lines. */
class LineReader {
  #number = 0;
  /** The place of the present piece, and of the present line. */
  #offset = 0;
  #start = 0;
  /** Parts of the present line in earlier pieces. */
  #parts: Buffer[] = [];
  #size = 0;
  /** Whether a CR has ended the line before, so that a LF that follows belongs to that end. */
  #isAfterReturn = false;

  /** The lines that end in a piece. */
  take(piece: Uint8Array): readonly PlacedLine[] {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const lines: PlacedLine[] = [];
    let from = 0;
    // Each of the two is looked for anew only where it was passed, so that a piece is read twice at most.
    let [newline, back] = [bytes.indexOf(NEWLINE), bytes.indexOf(RETURN)];
    for (;;) {
      if (this.#isAfterReturn && from < bytes.byteLength) {
        if (bytes[from] === NEWLINE) from += 1;
        this.#start = this.#offset + from;
        this.#isAfterReturn = false;
      }
      if (newline !== -1 && newline < from) newline = bytes.indexOf(NEWLINE, from);
      if (back !== -1 && back < from) back = bytes.indexOf(RETURN, from);
      const to = newline === -1 || (back !== -1 && back < newline) ? back : newline;
      if (to === -1) break;
      lines.push(this.#endLine(bytes.subarray(from, to)));
      this.#isAfterReturn = to === back;
      from = to + 1;
      this.#start = this.#offset + from;
    }
    this.#keep(bytes.subarray(from));
    this.#offset += bytes.byteLength;
    return lines;
  }

  /** The last line, where the file does not end with the end of a line. */
  end(): readonly PlacedLine[] {
    return this.#size === 0 ? [] : [this.#endLine(Buffer.alloc(0))];
  }

  #keep(rest: Buffer): void {
    if (rest.byteLength === 0) return;
    this.#parts.push(rest);
    this.#size += rest.byteLength;
    if (this.#size > MOST_RECORD_BYTES)
      throw refuse(
        'LIBRARY_RECORD_TOO_LARGE',
        `Line ${this.#number + 1} has more than ${MOST_RECORD_BYTES} bytes.`,
      );
  }

  #endLine(last: Buffer): PlacedLine {
    this.#number += 1;
    if (this.#number > MOST_LINES)
      throw refuse('LIBRARY_TOO_LARGE', `The library has more than ${MOST_LINES} lines.`);
    const bytes = this.#size === 0 ? last : Buffer.concat([...this.#parts, last]);
    [this.#parts, this.#size] = [[], 0];
    const line = { number: this.#number, start: this.#start, bytes };
    return this.#number === 1 ? withoutMark(line) : line;
  }
}

function withoutMark(line: PlacedLine): PlacedLine {
  if (!line.bytes.subarray(0, MARK.byteLength).equals(MARK)) return line;
  return { ...line, start: line.start + MARK.byteLength, bytes: line.bytes.subarray(MARK.byteLength) };
}
