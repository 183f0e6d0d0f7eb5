/**
 * Reads a file part by part, in order, and hashes each part and the whole file from the same bytes. A part that fits
 * the bound on memory is read once and sent from its buffer. Larger parts (of files above about 240 GB) are hashed in
 * slices and read again when they are sent.
 */
import { createHash, webcrypto } from 'node:crypto';

import { createBufferPool } from './gates.ts';
import { assertUnchanged, readExactly } from './identity.ts';
import type { SourceFile } from './identity.ts';
import { slicesOf } from './put.ts';
import type { PutBody } from './put.ts';

/** A part that was read; `release` gives its memory back, once. */
export interface ReadPart {
  readonly number: number;
  readonly sha256: Buffer;
  readonly body: PutBody;
  /** MD5 (hex) of a part in memory; null of one that is not. */
  md5(): string | null;
  release(): void;
}

/** Reads parts. */
export interface PartReader {
  /** Parts that can be in memory at once. */
  readonly most: number;
  /** @throws ClientError FILE_CHANGED, FILE_UNREADABLE. */
  parts(): AsyncGenerator<ReadPart, void, void>;
  /** Digest (hex) of the whole file, when every part was read. */
  wholeSha256(): string;
}

/** How a file is divided. */
export interface PartLayout {
  readonly sizeBytes: number;
  readonly partSize: number;
  readonly partCount: number;
}

/** The bound on the bytes of parts in memory. */
const BUFFERED_BYTES = 48 * 1024 * 1024;
const MOST_BUFFERS = 32;
const LARGEST_BUFFER_BYTES = 24 * 1024 * 1024;
const SLICE_BYTES = 1024 * 1024;
/** Parts under way at once when they are not kept in memory. */
const MOST_STREAMED = 8;

/** Makes a reader. */
export function createPartReader(file: SourceFile, layout: PartLayout): PartReader {
  const whole = createHash('sha256');
  const isBuffered = layout.partSize <= LARGEST_BUFFER_BYTES;
  const most = isBuffered
    ? Math.min(MOST_BUFFERS, layout.partCount, Math.max(2, Math.floor(BUFFERED_BYTES / layout.partSize)))
    : MOST_STREAMED;
  const pool = createBufferPool(most, isBuffered ? Math.min(layout.partSize, layout.sizeBytes) : 0);

  async function* parts(): AsyncGenerator<ReadPart, void, void> {
    for (let number = 1; number <= layout.partCount; number += 1) {
      const at = (number - 1) * layout.partSize;
      const byteLength = Math.min(layout.partSize, layout.sizeBytes - at);
      const place = await pool.take();
      await assertUnchanged(file);
      const part = isBuffered
        ? await readBuffered(file, place.subarray(0, byteLength), at, whole)
        : await readStreamed(file, at, byteLength, whole);
      yield { number, ...part, release: () => pool.give(place) };
    }
  }
  return { most, parts, wholeSha256: () => whole.copy().digest('hex') };
}

type Hash = ReturnType<typeof createHash>;

async function readBuffered(
  file: SourceFile,
  bytes: Buffer,
  at: number,
  whole: Hash,
): Promise<Omit<ReadPart, 'number' | 'release'>> {
  await readExactly(file, bytes, at);
  // The part is hashed on a thread of its own while this one goes on with the whole file.
  const digest = webcrypto.subtle.digest('SHA-256', bytes);
  whole.update(bytes);
  return {
    sha256: Buffer.from(await digest),
    body: { byteLength: bytes.byteLength, chunks: () => slicesOf(bytes) },
    md5: () => createHash('md5').update(bytes).digest('hex'),
  };
}

async function readStreamed(
  file: SourceFile,
  at: number,
  byteLength: number,
  whole: Hash,
): Promise<Omit<ReadPart, 'number' | 'release'>> {
  const own = createHash('sha256');
  async function* chunks(): AsyncGenerator<Buffer, void, void> {
    for (let done = 0; done < byteLength; done += SLICE_BYTES) {
      const slice = Buffer.allocUnsafeSlow(Math.min(SLICE_BYTES, byteLength - done));
      await readExactly(file, slice, at + done);
      yield slice;
    }
  }
  for await (const slice of chunks()) {
    own.update(slice);
    whole.update(slice);
  }
  return { sha256: own.digest(), body: { byteLength, chunks }, md5: () => null };
}
