/**
 * Reads a JPEG by its markers to its end. Segments that hold comments and texts are a fault, because the same frame must be the same file.
 */
import type { Pieces } from '../../pieces.ts';
import { Bytes, checkedSize, PictureFault } from './bytes.ts';
import type { PictureSize } from './bytes.ts';

const MARK = 0xff;
const [START, END, SCAN] = [0xd8, 0xd9, 0xda];
/** Kinds of frames: baseline, extended, progressive. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Tables, intervals, the JFIF head and colour profiles. */
const BESIDE = new Set([0xc4, 0xdb, 0xdd, 0xe0, 0xe2, 0xee]);
const FIRST_RESTART = 0xd0;
const LAST_RESTART = 0xd7;
const SCAN_BYTES = 64 * 1024;

/** Reads a JPEG. @throws PictureFault. */
export async function readJpeg(pieces: Pieces): Promise<PictureSize> {
  const bytes = new Bytes(pieces);
  const start = await bytes.take(2);
  if (start[0] !== MARK || start[1] !== START) throw new PictureFault('it is no JPEG');
  let size: PictureSize | null = null;
  let hasScan = false;
  for (let code = await markAfter(bytes); code !== END;) {
    const length = (await bytes.take(2)).readUInt16BE(0);
    const data = await bytes.take(Math.max(0, length - 2));
    if (FRAMES.has(code) && data.byteLength >= 5) {
      size = checkedSize(data.readUInt16BE(3), data.readUInt16BE(1));
      code = await markAfter(bytes);
    } else if (code === SCAN && size !== null) {
      hasScan = true;
      code = await afterScan(bytes);
    } else if (BESIDE.has(code)) code = await markAfter(bytes);
    else throw new PictureFault(`it has a segment ${code.toString(16)}, which a frame has not`);
  }
  await bytes.end();
  if (size === null || !hasScan) throw new PictureFault('it has no pixels');
  return size;
}

/** The marker that follows at once. */
async function markAfter(bytes: Bytes): Promise<number> {
  const [mark, code = 0] = await bytes.take(2);
  if (mark !== MARK || code === 0 || code === MARK)
    throw new PictureFault('its segments do not follow each other');
  return code;
}

/** The marker behind the pixels of a scan; in pixels a zero or a restart follows each byte that looks like a marker. */
async function afterScan(bytes: Bytes): Promise<number> {
  let isMark = false;
  for (;;) {
    const part = await bytes.some(SCAN_BYTES);
    if (part === null) throw new PictureFault('it breaks off');
    for (const [place, byte] of part.entries()) {
      if (isMark && byte !== 0 && byte !== MARK && !(byte >= FIRST_RESTART && byte <= LAST_RESTART)) {
        bytes.giveBack(part.subarray(place + 1));
        return byte;
      }
      isMark = byte === MARK;
    }
  }
}
