/**
 * Reads a PNG whole: its chunks with their checksums, and its pixels, which must be exactly as many bytes as size, channels and depth make.
 * Chunks that hold texts or times are a fault, because the same frame must be the same file.
 */
import { once } from 'node:events';
import { crc32, createInflate } from 'node:zlib';

import type { Pieces } from '../../pieces.ts';
import { Bytes, checkedSize, PictureFault } from './bytes.ts';
import type { PictureSize } from './bytes.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_BYTES = 13;
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
/** Chunks that say how to show the pixels; each is small. */
const BESIDE = new Set(['gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'sBIT', 'pHYs']);
const MOST_BESIDE_BYTES = 4 * 1024 * 1024;

/** Reads a PNG. @throws PictureFault. */
export async function readPng(pieces: Pieces): Promise<PictureSize> {
  const bytes = new Bytes(pieces);
  if (!(await bytes.take(SIGNATURE.byteLength)).equals(SIGNATURE)) throw new PictureFault('it is no PNG');
  const first = await chunkHead(bytes);
  if (first.kind !== 'IHDR' || first.length !== HEADER_BYTES) throw new PictureFault('it has no header');
  const header = await bytes.take(HEADER_BYTES);
  await checkSum(bytes, crc32(header, first.sum));
  const size = checkedSize(header.readUInt32BE(0), header.readUInt32BE(4));
  const [depth = 0, colour = 0, ...rest] = header.subarray(8);
  const channels = CHANNELS[colour];
  if (channels === undefined || (depth !== 8 && depth !== 16) || rest.some((one) => one !== 0))
    throw new PictureFault('it is of a kind that is not written here');
  await readChunks(bytes, size.height * (1 + size.width * channels * (depth / 8)));
  await bytes.end();
  return size;
}

/** Reads all chunks to the last. */
async function readChunks(bytes: Bytes, pixelBytes: number): Promise<void> {
  const pixels = new Inflated(pixelBytes);
  try {
    for (;;) {
      const { kind, length, sum } = await chunkHead(bytes);
      if (kind !== 'IDAT' && kind !== 'IEND' && !(BESIDE.has(kind) && length <= MOST_BESIDE_BYTES))
        throw new PictureFault(`it has a chunk ${kind}, which a frame has not`);
      let running = sum;
      for (let left = length; left > 0;) {
        const part = await bytes.some(left);
        if (part === null) throw new PictureFault('it breaks off');
        running = crc32(part, running);
        left -= part.byteLength;
        if (kind === 'IDAT') await pixels.add(part);
      }
      await checkSum(bytes, running);
      if (kind === 'IEND') break;
    }
    await pixels.end();
  } finally {
    pixels.close();
  }
}

async function chunkHead(
  bytes: Bytes,
): Promise<{ readonly kind: string; readonly length: number; readonly sum: number }> {
  const head = await bytes.take(8);
  const kind = head.subarray(4);
  return { kind: kind.toString('latin1'), length: head.readUInt32BE(0), sum: crc32(kind) };
}

async function checkSum(bytes: Bytes, sum: number): Promise<void> {
  if ((await bytes.take(4)).readUInt32BE(0) !== sum) throw new PictureFault('a checksum in it is wrong');
}

/** Counts the bytes of pixels while they are unpacked; more than there may be are not unpacked. */
class Inflated {
  readonly #inflate = createInflate();
  readonly #most: number;
  #count = 0;
  #fault: Error | null = null;

  constructor(most: number) {
    this.#most = most;
    this.#inflate.on('data', (part: Buffer) => {
      this.#count += part.byteLength;
      if (this.#count > this.#most) this.#inflate.destroy(new PictureFault('it has too many pixels'));
    });
    this.#inflate.on('error', (error) => (this.#fault ??= error));
  }

  async add(part: Buffer): Promise<void> {
    this.#check();
    if (!this.#inflate.write(part))
      await Promise.race([once(this.#inflate, 'drain'), once(this.#inflate, 'close')]).catch(() => undefined);
    this.#check();
  }

  async end(): Promise<void> {
    this.#check();
    const ended = once(this.#inflate, 'end');
    this.#inflate.end();
    await ended.catch(() => undefined);
    this.#check();
    if (this.#count !== this.#most) throw new PictureFault('it has too few pixels');
  }

  close(): void {
    this.#inflate.destroy();
  }

  #check(): void {
    if (this.#fault === null) return;
    throw this.#fault instanceof PictureFault
      ? this.#fault
      : new PictureFault('its pixels cannot be unpacked');
  }
}
