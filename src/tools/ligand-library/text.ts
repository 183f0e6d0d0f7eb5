/** The texts of a library: names and properties, which may be written in older ways than UTF-8. */
import { isUtf8 } from 'node:buffer';

/** Encoding of spreadsheet programs that nobody asks for UTF-8. */
const OLD_WAY = new TextDecoder('windows-1252');

/** A text with what its characters are in the file. */
export interface ReadText {
  readonly text: string;
  /** Whether each character is one byte. */
  readonly isByteEach: boolean;
}

/** Reads bytes as UTF-8, and as Windows-1252 where they are no UTF-8. */
export function readText(bytes: Buffer): ReadText {
  const isOld = !isUtf8(bytes);
  return { text: isOld ? OLD_WAY.decode(bytes) : bytes.toString('utf8'), isByteEach: isOld };
}
