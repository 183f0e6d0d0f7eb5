/**
 * Reads a file part by part, in order, and hashes each part and the whole file from the same bytes. Memory is bounded,
 * not parallelism: parts of which several fit the bound are read once and sent from their buffers; larger ones (of
 * files above about 105 GB) are hashed in slices and read again, slice by slice, when they are sent.
 */
import { createHash, webcrypto } from 'node:crypto';

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
  /** Parts that can be under way at once. */
  readonly most: number;
  /** @throws ClientError FILE_CHANGED, FILE_UNREADABLE. */
  parts(): AsyncGenerator<ReadPart, void, void>;
  /** Digest (hex) of the whole file, when every part was read. */
  wholeSha256(): string;
}

/** Division of a file into parts. */
export interface PartLayout {
  readonly sizeBytes: number;
  readonly partSize: number;
  readonly partCount: number;
}

/** Plan for holding the parts of a file while they are under way. */
export interface ReadingPlan {
  /** A part is held whole; else two slices of it are. */
  readonly isBuffered: boolean;
  /** Parts under way at once, at most. */
  readonly most: number;
  /** Places that parts are read into, and the size of each. */
  readonly places: number;
  readonly placeBytes: number;
}

/** The bound on the bytes of parts in memory. */
const BUFFERED_BYTES = 40 * 1024 * 1024;
const MOST_BUFFERS = 32;
/** Where fewer parts than this fit the bound, reading them twice costs less than sending so few at once. */
const FEWEST_BUFFERS = 4;
const SLICE_BYTES = 256 * 1024;
/** Parts that are read twice take two slices of memory each, 32 MiB for all. */
const MOST_STREAMED = 64;

/** Decides how parts are held, when so many may be under way at once. */
export function planReading(
  { sizeBytes, partSize, partCount }: PartLayout,
  concurrency: number,
): ReadingPlan {
  const largest = Math.min(partSize, sizeBytes);
  const fitting = Math.min(MOST_BUFFERS, Math.floor(BUFFERED_BYTES / largest));
  const isBuffered = fitting >= Math.min(FEWEST_BUFFERS, partCount);
  const most = Math.max(1, Math.min(concurrency, partCount, isBuffered ? fitting : MOST_STREAMED));
  // One place more than parts under way, where there is room, so that a part is read while the others are sent.
  const places = Math.min(most + 1, partCount, isBuffered ? fitting : most + 1);
  return { isBuffered, most, places, placeBytes: isBuffered ? largest : 2 * SLICE_BYTES };
}

/** Makes a reader of which at most so many parts are under way at once. */
export function createPartReader(file: SourceFile, layout: PartLayout, concurrency: number): PartReader {
  const whole = createHash('sha256');
  const { isBuffered, most, places, placeBytes } = planReading(layout, concurrency);
  const pool = createBufferPool(places, placeBytes);

  async function* parts(): AsyncGenerator<ReadPart, void, void> {
    for (let number = 1; number <= layout.partCount; number += 1) {
      const at = (number - 1) * layout.partSize;
      const byteLength = Math.min(layout.partSize, layout.sizeBytes - at);
      const place = await pool.take();
      await assertUnchanged(file);
      const part = isBuffered
        ? await readBuffered(file, place.subarray(0, byteLength), at, whole)
        : await readStreamed(file, { at, byteLength }, place, whole);
      yield { number, ...part, release: () => pool.give(place) };
    }
  }
  return { most, parts, wholeSha256: () => whole.copy().digest('hex') };
}

/** Places for files that go up by one PUT, so many at once; each holds a small file or two slices of a larger one. */
export function createPlaces(count: number): BufferPool {
  return createBufferPool(count, 2 * SLICE_BYTES);
}

/**
 * Hashes a file that goes up by one PUT.
 * @throws ClientError FILE_CHANGED, FILE_UNREADABLE.
 */
export async function readWhole(file: SourceFile, place: Buffer): Promise<Pick<ReadPart, 'sha256' | 'body'>> {
  const { sizeBytes } = file.identity;
  const whole = createHash('sha256');
  const read = await (sizeBytes <= place.byteLength
    ? readBuffered(file, place.subarray(0, sizeBytes), 0, whole)
    : readStreamed(file, { at: 0, byteLength: sizeBytes }, place, whole));
  await assertUnchanged(file);
  return read;
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
  { at, byteLength }: { readonly at: number; readonly byteLength: number },
  place: Buffer,
  whole: Hash,
): Promise<Omit<ReadPart, 'number' | 'release'>> {
  const own = createHash('sha256');
  // Two slices are filled in turns, because the socket may still hold one slice while the other is read.
  async function* chunks(): AsyncGenerator<Buffer, void, void> {
    for (let done = 0, turn = 0; done < byteLength; done += SLICE_BYTES, turn = SLICE_BYTES - turn) {
      const slice = place.subarray(turn, turn + Math.min(SLICE_BYTES, byteLength - done));
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

/** Buffers of one size that go round. */
export interface BufferPool {
  readonly count: number;
  take(): Promise<Buffer>;
  give(buffer: Buffer): void;
}

/** Makes a pool; a buffer is allocated when it is first needed. */
export function createBufferPool(count: number, sizeBytes: number): BufferPool {
  const free: Buffer[] = [];
  const waiting: ((buffer: Buffer) => void)[] = [];
  let made = 0;
  return {
    count,
    take() {
      const buffer = free.pop();
      if (buffer !== undefined) return Promise.resolve(buffer);
      if (made === count) return new Promise((resolve) => waiting.push(resolve));
      made += 1;
      return Promise.resolve(Buffer.allocUnsafeSlow(sizeBytes));
    },
    give(buffer) {
      const next = waiting.shift();
      if (next === undefined) free.push(buffer);
      else next(buffer);
    },
  };
}
