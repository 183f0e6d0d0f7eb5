/**
 * Reads an OpenEXR file of scan lines whole: its header, its channels, the places of its chunks, and each chunk, which must unpack to exactly
 * its rows. Attributes that hold dates, times, names or paths are a fault, because the same frame must be the same file.
 */
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

import type { Pieces } from '../../pieces.ts';
import { Bytes, checkedSize, PictureFault } from './bytes.ts';
import type { PictureSize } from './bytes.ts';

const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

const MAGIC = 20_000_630;
/** Version 2, with or without names of more than 31 bytes; neither tiles nor parts nor deep pixels. */
const VERSION = 2;
const LONG_NAMES = 0x400;
const MOST_HEADER_BYTES = 16 * 1024 * 1024;
const MOST_CHANNELS = 1024;
/** Rows of a chunk by kind of compression: none, and ZIP of 1 and of 16 rows. */
const ROWS: Readonly<Record<number, number>> = { 0: 1, 2: 1, 3: 16 };
/** Bytes of a sample: whole number, half, float. */
const SAMPLE_BYTES: Readonly<Record<number, number>> = { 0: 4, 1: 2, 2: 4 };
const KNOWN = new Set([
  'channels',
  'compression',
  'dataWindow',
  'displayWindow',
  'lineOrder',
  'pixelAspectRatio',
  'screenWindowCenter',
  'screenWindowWidth',
  'chromaticities',
  'whiteLuminance',
  'multiView',
  'view',
  'type',
  'name',
  'version',
  'chunkCount',
  'BlenderMultiChannel',
  'xDensity',
]);
const NAMES_OF_MATTES = 'cryptomatte/';
const CHUNK_HEAD_BYTES = 8;
const PLACE_BYTES = 8;

/** The most memory that a chunk takes, packed and unpacked. */
export const MOST_CHUNK_BYTES = 192 * 1024 * 1024;

interface Header extends PictureSize {
  readonly top: number;
  readonly compression: number;
  readonly rowBytes: number;
}

/** Reads an EXR. @throws PictureFault. */
export async function readExr(pieces: Pieces): Promise<PictureSize> {
  const bytes = new Bytes(pieces);
  const start = await bytes.take(8);
  const version = start.readUInt32LE(4);
  if (start.readUInt32LE(0) !== MAGIC || (version & ~LONG_NAMES) !== VERSION)
    throw new PictureFault('it is no EXR of scan lines');
  const header = await readHeader(bytes);
  const { width, height, top, compression, rowBytes } = header;
  const rows = ROWS[compression];
  if (rows === undefined) throw new PictureFault('it is packed in a way that is not written here');
  if (rowBytes * rows > MOST_CHUNK_BYTES) throw new PictureFault('its rows are too long');
  const chunks = Math.ceil(height / rows);
  const places = await bytes.take(chunks * PLACE_BYTES);
  for (let index = 0; index < chunks; index += 1) {
    if (places.readBigUInt64LE(index * PLACE_BYTES) !== BigInt(bytes.taken))
      throw new PictureFault('its chunks do not lie where it says');
    const head = await bytes.take(CHUNK_HEAD_BYTES);
    if (head.readInt32LE(0) !== top + index * rows) throw new PictureFault('its rows are not in their order');
    const wanted = rowBytes * Math.min(rows, height - index * rows);
    await readChunk(bytes, { packed: head.readInt32LE(4), wanted, compression });
  }
  await bytes.end();
  return { width, height };
}

async function readChunk(
  bytes: Bytes,
  {
    packed,
    wanted,
    compression,
  }: { readonly packed: number; readonly wanted: number; readonly compression: number },
): Promise<void> {
  // Rows that cannot be packed are stored as they are.
  if (packed < 0 || packed > wanted || (compression === 0 && packed !== wanted))
    throw new PictureFault('a chunk in it has a wrong size');
  const data = await bytes.take(packed);
  if (packed === wanted) return;
  const rows = await unpack(data, { maxOutputLength: wanted }).catch(() => null);
  if (rows?.byteLength !== wanted) throw new PictureFault('a chunk in it has not its rows');
}

async function readHeader(bytes: Bytes): Promise<Header> {
  const found = new Map<string, Buffer>();
  for (;;) {
    const name = await text(bytes);
    if (name === '') break;
    await text(bytes);
    const length = (await bytes.take(4)).readInt32LE(0);
    if (length < 0 || bytes.taken + length > MOST_HEADER_BYTES)
      throw new PictureFault('its header is too long');
    if (!KNOWN.has(name) && !name.startsWith(NAMES_OF_MATTES))
      throw new PictureFault(`it has an attribute ${name.slice(0, 40)}, which a frame has not`);
    found.set(name, await bytes.take(length));
  }
  const attribute = (name: string, length: number): Buffer => {
    const value = found.get(name);
    if (value === undefined || value.byteLength < length) throw new PictureFault(`it has no ${name}`);
    return value;
  };
  const window = attribute('dataWindow', 16);
  const [left, top, right, bottom] = [0, 4, 8, 12].map((place) => window.readInt32LE(place));
  if (left === undefined || top === undefined || right === undefined || bottom === undefined)
    throw new PictureFault('it has no size');
  if (attribute('lineOrder', 1)[0] !== 0) throw new PictureFault('its rows are not in their order');
  const size = checkedSize(right - left + 1, bottom - top + 1);
  return {
    ...size,
    top,
    compression: attribute('compression', 1)[0] ?? -1,
    rowBytes: size.width * bytesOfChannels(attribute('channels', 1)),
  };
}

/** The bytes of a pixel in all channels. */
function bytesOfChannels(list: Buffer): number {
  let [sum, place, count] = [0, 0, 0];
  while (list[place] !== 0) {
    const end = list.indexOf(0, place);
    if (end < 0 || end + 17 > list.byteLength) throw new PictureFault('its list of channels breaks off');
    const sample = SAMPLE_BYTES[list.readInt32LE(end + 1)];
    if (sample === undefined || list.readInt32LE(end + 9) !== 1 || list.readInt32LE(end + 13) !== 1)
      throw new PictureFault('it has a channel of a kind that is not written here');
    sum += sample;
    count += 1;
    place = end + 17;
    if (count > MOST_CHANNELS) throw new PictureFault('it has too many channels');
  }
  if (count === 0) throw new PictureFault('it has no channel');
  return sum;
}

/** A text that ends with a zero. */
async function text(bytes: Bytes): Promise<string> {
  const found: number[] = [];
  for (;;) {
    const [next = 0] = await bytes.take(1);
    if (next === 0) return Buffer.from(found).toString('latin1');
    found.push(next);
    if (found.length > 255) throw new PictureFault('a name in its header is too long');
  }
}
