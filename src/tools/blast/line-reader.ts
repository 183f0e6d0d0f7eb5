/** Reads text files whose lines are too long to be held, so that a line comes in parts of any length. */
import { faultOf, textOf } from '../pieces.ts';
import type { Pieces } from '../pieces.ts';

/** Reader of the lines of a file; each member throws a `TextFault` where the file is another one. */
export interface LineReader {
  /** The next part of the present line, which may be empty. */
  take(part: string): void;
  endLine(): void;
  /** The end of the file. */
  end(): void;
}

/** Tells a reader of every line of a text. False where the bytes are no text, or the reader found a fault. */
export async function readInLines(pieces: Pieces, reader: LineReader): Promise<boolean> {
  const fault = await faultOf(async () => {
    for await (const text of textOf(pieces)) {
      let from = 0;
      for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
        reader.take(text.slice(from, to));
        reader.endLine();
        from = to + 1;
      }
      reader.take(text.slice(from));
    }
    reader.end();
  });
  return fault === null;
}
