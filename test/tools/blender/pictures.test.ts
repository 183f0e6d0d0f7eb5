/** Pictures count when they are whole and tell of nothing but their pixels. */
import { crc32, deflateSync } from 'node:zlib';

import { expect } from 'chai';
import fc from 'fast-check';

import { PictureFault } from '../../../src/tools/blender/pictures/bytes.ts';
import { readExr } from '../../../src/tools/blender/pictures/exr.ts';
import { readJpeg } from '../../../src/tools/blender/pictures/jpeg.ts';
import { readPng } from '../../../src/tools/blender/pictures/png.ts';
import type { Pieces } from '../../../src/tools/pieces.ts';
import { verifyRender } from '../../../src/tools/blender/verify.ts';
import { cutInto } from '../../support/read-outputs.ts';

const [WIDTH, HEIGHT] = [5, 19];
type Read = (pieces: Pieces) => Promise<{ readonly width: number; readonly height: number }>;

const chunk = (kind: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.byteLength);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG of 8 bits RGB; `rows` and `more` make it wrong. */
const png = ({ rows = HEIGHT, more = [] as readonly Buffer[] } = {}): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const packed = deflateSync(Buffer.alloc(rows * (1 + WIDTH * 3), 7));
  const half = Math.floor(packed.byteLength / 2);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', packed.subarray(0, half)),
    chunk('IDAT', packed.subarray(half)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const attribute = (name: string, type: string, value: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32LE(value.byteLength);
  return Buffer.concat([Buffer.from(`${name}\0${type}\0`, 'latin1'), length, value]);
};
const numbers = (...values: readonly number[]): Buffer => {
  const made = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => made.writeInt32LE(value, 4 * index));
  return made;
};

/** An EXR of two float channels, packed with ZIP; `rows` and `more` make it wrong. */
const exr = ({ rows = 0, more = [] as readonly Buffer[], shift = 0 } = {}): Buffer => {
  const channel = (name: string): Buffer =>
    Buffer.concat([Buffer.from(`${name}\0`), numbers(2), Buffer.alloc(4), numbers(1, 1)]);
  const window = numbers(0, 0, WIDTH - 1, HEIGHT - 1);
  const header = Buffer.concat([
    numbers(20_000_630, 2),
    attribute('channels', 'chlist', Buffer.concat([channel('A'), channel('R'), Buffer.alloc(1)])),
    attribute('compression', 'compression', Buffer.from([3])),
    attribute('dataWindow', 'box2i', window),
    attribute('displayWindow', 'box2i', window),
    attribute('lineOrder', 'lineOrder', Buffer.alloc(1)),
    ...more,
    Buffer.alloc(1),
  ]);
  const chunks = [0, 16].map((top) => {
    const count = Math.min(16, HEIGHT - top) + rows;
    const packed = deflateSync(Buffer.alloc(count * WIDTH * 8, 3));
    return Buffer.concat([numbers(top, packed.byteLength), packed]);
  });
  const places = Buffer.alloc(16);
  let place = header.byteLength + 16 + shift;
  chunks.forEach((one, index) => {
    places.writeBigUInt64LE(BigInt(place), 8 * index);
    place += one.byteLength;
  });
  return Buffer.concat([header, places, ...chunks]);
};

const segment = (code: number, data: Uint8Array): Buffer => {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(data.byteLength + 2, 2);
  return Buffer.concat([head, data]);
};

/** The markers of a JPEG, whose pixels nobody decodes. */
const jpeg = ({ more = [] as readonly Buffer[] } = {}): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0')),
    ...more,
    segment(0xc0, Buffer.from([8, 0, HEIGHT, 0, WIDTH, 3])),
    segment(0xda, Buffer.from([1, 2, 3])),
    Buffer.from([1, 0xff, 0, 2, 0xff, 0xd3, 3, 0xff, 0xff, 0xd9]),
  ]);

const faultOf = async (read: Read, bytes: Uint8Array): Promise<string | null> => {
  try {
    expect(await read(cutInto(bytes, 7))).to.include({ width: WIDTH, height: HEIGHT });
    return null;
  } catch (error) {
    if (error instanceof PictureFault) return error.message;
    throw error;
  }
};

const WHOLE: readonly (readonly [name: string, read: Read, bytes: Buffer])[] = [
  ['png', readPng, png()],
  ['exr', readExr, exr()],
  ['jpeg', readJpeg, jpeg()],
];

describe('pictures of frames', () => {
  for (const [name, read, bytes] of WHOLE) {
    it(`${name}: counts whole, and in no part, with nothing behind it`, async () => {
      expect(await faultOf(read, bytes)).to.equal(null);
      for (let length = 0; length < bytes.byteLength; length += 1)
        expect(await faultOf(read, bytes.subarray(0, length)), String(length)).to.be.a('string');
      expect(await faultOf(read, Buffer.concat([bytes, Buffer.alloc(1)]))).to.equal(
        'something follows its end',
      );
    });

    it(`${name}: any change of a byte is judged, and nothing is thrown but a fault`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(bytes.byteLength - 1),
          fc.integer({ min: 1, max: 255 }),
          async (place, by) => {
            const changed = Buffer.from(bytes);
            changed[place] = ((changed[place] ?? 0) + by) % 256;
            try {
              await read(cutInto(changed, 64));
            } catch (error) {
              expect(error).to.be.instanceOf(PictureFault);
            }
          },
        ),
        { numRuns: 300 },
      );
    });
  }

  it('a PNG has a checksum for every byte, exactly its rows, and no texts and times', async () => {
    for (let place = 8; place < png().byteLength; place += 3) {
      const changed = png();
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(await faultOf(readPng, changed), String(place)).to.be.a('string');
    }
    expect(await faultOf(readPng, png({ rows: HEIGHT - 1 }))).to.equal('it has too few pixels');
    expect(await faultOf(readPng, png({ rows: HEIGHT + 1 }))).to.equal('it has too many pixels');
    expect(await faultOf(readPng, png({ rows: 100_000 }))).to.equal('it has too many pixels');
    for (const kind of ['tEXt', 'tIME', 'eXIf'])
      expect(await faultOf(readPng, png({ more: [chunk(kind, Buffer.from('Date\0now'))] }))).to.contain(kind);
    expect(await faultOf(readPng, png({ more: [chunk('pHYs', Buffer.alloc(9))] }))).to.equal(null);
  });

  it('an EXR has its chunks where it says, each with exactly its rows, and no dates and paths', async () => {
    expect(await faultOf(readExr, exr({ rows: 1 }))).to.equal('a chunk in it has not its rows');
    expect(await faultOf(readExr, exr({ rows: -1 }))).to.equal('a chunk in it has not its rows');
    expect(await faultOf(readExr, exr({ shift: 8 }))).to.equal('its chunks do not lie where it says');
    const named = (name: string) => exr({ more: [attribute(name, 'string', Buffer.from('x'))] });
    for (const name of ['Date', 'File', 'RenderTime', 'cycles.ViewLayer.total_time'])
      expect(await faultOf(readExr, named(name))).to.contain(name);
    for (const name of ['cryptomatte/3ae39a5/manifest', 'BlenderMultiChannel'])
      expect(await faultOf(readExr, named(name))).to.equal(null);
  });

  it('a JPEG goes to its last marker, and has no comments and texts', async () => {
    for (const code of [0xfe, 0xe1])
      expect(await faultOf(readJpeg, jpeg({ more: [segment(code, Buffer.from('Blender'))] }))).to.be.a(
        'string',
      );
    expect(await faultOf(readJpeg, jpeg({ more: [segment(0xdb, Buffer.alloc(5))] }))).to.equal(null);
  });

  it('of a task are its own frame and the small picture, whole', async () => {
    const files: Record<string, Buffer> = {
      'frames/shot.0013.png': png(),
      'frames/shot.-0013.exr': exr(),
      'thumbnails/shot.0013.jpg': jpeg(),
      'thumbnails/shot.-0013.jpg': jpeg(),
      'frames/half.0013.png': png().subarray(0, 60),
      'thumbnails/half.0013.jpg': jpeg(),
    };
    const judge = (itemId: string, ...names: readonly string[]) =>
      verifyRender(
        'task',
        { itemId },
        names.map((name) => ({
          ...{ name, kind: name.startsWith('frames/') ? 'frame' : 'thumbnail', mediaType: 'image/png' },
          ...{ format: null, byteSize: 1, sha256: '' },
        })),
        async (name, reader) => reader.read(cutInto(files[name] ?? Buffer.alloc(0), 50)),
      );
    expect(await judge('13', 'frames/shot.0013.png', 'thumbnails/shot.0013.jpg')).to.equal(null);
    expect(await judge('-13', 'frames/shot.-0013.exr', 'thumbnails/shot.-0013.jpg')).to.equal(null);
    expect(await judge('12', 'frames/shot.0013.png', 'thumbnails/shot.0013.jpg')).to.contain('frame 12');
    expect(await judge('13', 'frames/shot.0013.png')).to.contain('is missing');
    expect(
      await judge('13', 'frames/shot.0013.png', 'thumbnails/shot.0013.jpg', 'frames/x.0013.png'),
    ).to.contain('not expected');
    expect(await judge('13', 'frames/half.0013.png', 'thumbnails/half.0013.jpg')).to.contain('breaks off');
  });
});
