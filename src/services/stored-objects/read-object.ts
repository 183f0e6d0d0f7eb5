/** Objects that are read: of a known or bounded size, and never more bytes than that. */
import type { Readable } from 'node:stream';

import type { ObjectStore } from '../../adapters/storage/storage.ts';
import { inPieces } from '../../tools/pieces.ts';

/** An object has another size than whoever reads it expects; not a byte of it was kept. */
export class ObjectSizeError extends Error {
  override readonly name = 'ObjectSizeError';
  readonly byteSize: number;

  constructor(message: string, byteSize: number) {
    super(message);
    this.byteSize = byteSize;
  }
}

/**
 * Reads an object of exactly so many bytes, piece by piece.
 * @throws ObjectSizeError when the store has it in another size, before a byte is read; an error when there is none; what
 * the store throws.
 */
export async function* readExactly(
  store: Pick<ObjectStore, 'read'>,
  key: string,
  byteSize: number,
): AsyncGenerator<Uint8Array, void> {
  const object = await store.read(key);
  if (object === null) throw new Error(`The object ${key} is missing.`);
  if (object.byteSize === byteSize) {
    yield* inPieces(checked(object.stream, key, byteSize));
    return;
  }
  object.stream.destroy();
  throw new ObjectSizeError(
    `The object ${key} has ${object.byteSize} bytes, not ${byteSize}.`,
    object.byteSize,
  );
}

/**
 * Reads an object of at most so many bytes; null when there is none.
 * @throws ObjectSizeError when the store has more, before a byte is read; what the store throws.
 */
export async function readAtMost(
  store: Pick<ObjectStore, 'read'>,
  key: string,
  mostBytes: number,
): Promise<Uint8Array | null> {
  const object = await store.read(key);
  if (object === null) return null;
  if (object.byteSize <= mostBytes) return gather(object.stream, key, object.byteSize);
  object.stream.destroy();
  throw new ObjectSizeError(
    `The object ${key} has ${object.byteSize} bytes; at most ${mostBytes} are read.`,
    object.byteSize,
  );
}

/** Into one buffer of the announced size: chunks that are joined at the end would take twice as much. */
async function gather(stream: Readable, key: string, byteSize: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(byteSize);
  let filled = 0;
  for await (const chunk of checked(stream, key, byteSize)) {
    bytes.set(chunk, filled);
    filled += chunk.byteLength;
  }
  return bytes;
}

/** The chunks of a stream, which must be as many bytes as the store announced. */
async function* checked(stream: Readable, key: string, byteSize: number): AsyncGenerator<Uint8Array, void> {
  let streamed = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array))
      throw new Error(`The store streamed something of ${key} that is not bytes.`);
    streamed += chunk.byteLength;
    if (streamed > byteSize) throw new Error(`The store streamed more of ${key} than it announced.`);
    yield chunk;
  }
  if (streamed < byteSize)
    throw new Error(`The store streamed ${streamed} of the ${byteSize} bytes of ${key}.`);
}
