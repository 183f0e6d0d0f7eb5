/** Outputs in memory, as a tool's `verify` reads those of an instance: in pieces, cut anywhere. */
import type { Pieces } from '../../src/tools/pieces.ts';
import type { ReadOutput } from '../../src/tools/tool.ts';

/** A number with which lines, characters and numbers are cut anywhere; a long text is cut into fewer pieces. */
const PIECE_BYTES = 61;
const MOST_PIECES = 1000;

/** Pieces of at most so many bytes. */
export async function* cutInto(bytes: Uint8Array, mostBytes: number): Pieces {
  for (let from = 0; from < bytes.byteLength; from += mostBytes) {
    yield Promise.resolve(bytes.subarray(from, from + mostBytes));
  }
}

/** Reads the outputs whose text `textOf` tells, in odd pieces, so that lines, characters and numbers are cut. */
export function readsTexts(textOf: (name: string) => string): ReadOutput {
  return async (name, reader) => {
    const bytes = Buffer.from(textOf(name), 'utf8');
    return reader.read(cutInto(bytes, Math.max(PIECE_BYTES, Math.ceil(bytes.byteLength / MOST_PIECES))));
  };
}

/** The whole of an output, for readers that compare it. */
export async function wholeOf(pieces: Pieces): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const piece of pieces) found.push(piece);
  return Buffer.concat(found);
}
