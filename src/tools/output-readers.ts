/** Readers of outputs: each reader says how much memory it takes, which the budget of the process bounds. */
import { JSON_BOUNDS, readJson } from './json-value.ts';
import type { JsonBounds } from './json-value.ts';
import { nextTurn } from './pieces.ts';
import type { Pieces } from './pieces.ts';

/** Reads an output, and answers what was found. */
export interface OutputReader<T> {
  /** The most memory that reading an output of so many bytes takes. */
  memoryBytes(byteSize: number): number;
  read(pieces: Pieces): Promise<T>;
}

const MEBIBYTE = 1024 * 1024;
/** The buffers of the connection, one piece with its text, the longest line, and the names of open objects. */
const PIECES_BYTES = 4 * MEBIBYTE;
/** An object with a name of its own, the most expensive value, as it was measured. */
const VALUE_BYTES = 160;
/** A value takes at least so many bytes of the text: a digit and a comma. */
const LEAST_BYTES_OF_VALUE = 2;
/** A character takes two bytes once one character of the text is beyond Latin. */
const CHARACTER_BYTES = 2;

/** Reads an output piece by piece; the reader keeps less than a line, or a record, of the output. */
export function byPieces<T>(read: (pieces: Pieces) => Promise<T>): OutputReader<T> {
  return { memoryBytes: () => PIECES_BYTES, read };
}

/** Reads a JSON text and answers what `parse` makes of its value, which is undefined where the text is no JSON. */
export function asJson<T>(
  parse: (value: unknown) => T | Promise<T>,
  more: Partial<JsonBounds> = {},
): OutputReader<T> {
  const bounds = { ...JSON_BOUNDS, ...more };
  return {
    memoryBytes(byteSize) {
      const values = Math.min(bounds.values, byteSize / LEAST_BYTES_OF_VALUE);
      return Math.ceil(PIECES_BYTES + byteSize * CHARACTER_BYTES + values * VALUE_BYTES);
    },
    async read(pieces) {
      const value = await readJson(pieces, bounds);
      await nextTurn();
      return parse(value);
    },
  };
}
