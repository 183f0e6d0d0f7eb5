/**
 * The bytes of an output, piece by piece. An output is never in memory as a whole, and no piece keeps the event loop for
 * more than some milliseconds, whatever an instance wrote: workflow tasks and money wait on the same event loop.
 */
import { setImmediate } from 'node:timers/promises';

/** The bytes of an output in their order; the event loop is given back before each piece. */
export type Pieces = AsyncIterable<Uint8Array>;

/** An output is not the text that its reader takes. */
export class TextFault extends Error {
  override readonly name = 'TextFault';
}

/** The most bytes of one piece. */
export const PIECE_BYTES = 64 * 1024;

let last: Promise<unknown> = Promise.resolve();

/**
 * Gives the event loop back. Each round of the event loop serves one caller of the whole process, in the order of asking:
 * if a round served all readers, the pauses of ten readers would add up.
 */
export function nextTurn(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}

/** Cuts chunks of any size into pieces, and waits for its turn before each piece. */
export async function* inPieces(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.byteLength; from += PIECE_BYTES) {
      await nextTurn();
      yield chunk.subarray(from, from + PIECE_BYTES);
    }
  }
}

/**
 * The text of an output in UTF-8.
 * @throws TextFault where the bytes are no UTF-8.
 */
export async function* textOf(pieces: Pieces): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const piece of pieces) yield decoded(() => decoder.decode(piece, { stream: true }));
  yield decoded(() => decoder.decode());
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new TextFault('The output is no UTF-8.');
  }
}

/** Why an output is not the text that its reader takes; null where it is. */
export async function faultOf(read: () => Promise<void>): Promise<string | null> {
  try {
    await read();
    return null;
  } catch (error) {
    if (error instanceof TextFault) return error.message;
    throw error;
  }
}
