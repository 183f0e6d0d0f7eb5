/**
 * The bytes of a library, unpacked where the file is packed with gzip. The size of what is unpacked is bounded while it is
 * unpacked, so that a small file which unpacks without end takes neither memory nor time. Bytes that are no text in UTF-8, or
 * its subset ASCII, are refused by their signs; single letters of other encodings are let pass, because they occur in names.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { inPieces } from '../pieces.ts';
import { refuse } from './codes.ts';

/** The most bytes of a library, packed and unpacked. */
export const MOST_LIBRARY_BYTES = 256_000_000;

/** The bytes of a stored file, in chunks of any size. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const GZIP = [0x1f, 0x8b] as const;
const SIGN_BYTES = 4;
/** Files that people send in the place of a text, by the first bytes. */
const OTHERS = [
  { sign: [0x50, 0x4b, 0x03, 0x04], what: 'a zip archive or a workbook of a spreadsheet program' },
  { sign: [0xd0, 0xcf, 0x11, 0xe0], what: 'a workbook of a spreadsheet program' },
  { sign: [0x42, 0x5a, 0x68], what: 'packed with bzip2, and not with gzip' },
  { sign: [0xfd, 0x37, 0x7a, 0x58], what: 'packed with xz, and not with gzip' },
  { sign: [0x28, 0xb5, 0x2f, 0xfd], what: 'packed with Zstandard, and not with gzip' },
  { sign: [0x25, 0x50, 0x44, 0x46], what: 'a PDF document' },
] as const;

/**
 * The bytes of the library, piece by piece.
 * @throws LIBRARY_TOO_LARGE, LIBRARY_UNREADABLE.
 */
export async function* libraryBytes(chunks: Chunks): AsyncGenerator<Uint8Array, void> {
  const file = await begin(bounded(chunks, 'file'));
  const text = isGzip(file.beginning) ? await begin(bounded(unzipped(file.all()), 'unpacked file')) : file;
  try {
    checkSigns(text.beginning);
    for await (const piece of inPieces(text.all())) {
      if (piece.includes(0))
        throw refuse('LIBRARY_UNREADABLE', 'The library has zero bytes; it is no text file.');
      yield piece;
    }
  } finally {
    await text.close();
  }
}

interface Begun {
  /** The first bytes, as many as tell what the file is. */
  readonly beginning: Uint8Array;
  /** All bytes, the first included. */
  all(): AsyncGenerator<Uint8Array, void>;
  /** Ends the reading, wherever the reading is. */
  close(): Promise<unknown>;
}

async function begin(chunks: AsyncGenerator<Uint8Array, void>): Promise<Begun> {
  const read: Uint8Array[] = [];
  let size = 0;
  while (size < SIGN_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    read.push(next.value);
    size += next.value.byteLength;
  }
  return {
    beginning: Buffer.concat(read).subarray(0, SIGN_BYTES),
    async *all() {
      yield* read;
      yield* chunks;
    },
    close: () => chunks.return(),
  };
}

async function* bounded(chunks: Chunks, what: string): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > MOST_LIBRARY_BYTES)
      throw refuse('LIBRARY_TOO_LARGE', `The ${what} has more than ${MOST_LIBRARY_BYTES} bytes.`);
    yield chunk;
  }
}

async function* unzipped(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const gunzip = createGunzip();
  // The loop below meets every error of the pipeline, because the pipeline destroys its last stream with the error.
  const fed = pipeline(Readable.from(packed), gunzip).catch(() => undefined);
  try {
    for await (const chunk of gunzip) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    if (!isOfZlib(error)) throw error;
    throw refuse('LIBRARY_UNREADABLE', 'The library is packed with gzip, and cannot be unpacked to its end.');
  } finally {
    gunzip.destroy();
    await fed;
  }
}

function isOfZlib(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return typeof error.code === 'string' && error.code.startsWith('Z_');
}

function isGzip(beginning: Uint8Array): boolean {
  return GZIP.every((byte, at) => beginning[at] === byte);
}

/** @throws LIBRARY_UNREADABLE where the first bytes are the sign of something else than text in UTF-8. */
function checkSigns(beginning: Uint8Array): void {
  if (isGzip(beginning)) throw refuse('LIBRARY_UNREADABLE', 'The library is packed with gzip twice.');
  const other = OTHERS.find(({ sign }) => sign.every((byte, at) => beginning[at] === byte));
  if (other !== undefined) throw refuse('LIBRARY_UNREADABLE', `The library is ${other.what}.`);
  const [first = 1, second = 1] = beginning;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Of two bytes of an ASCII letter in UTF-16 one is zero.
  const isUtf16 = isMarked || (beginning.byteLength > 1 && (first === 0) !== (second === 0));
  if (isUtf16) throw refuse('LIBRARY_UNREADABLE', 'The library is UTF-16.');
}
