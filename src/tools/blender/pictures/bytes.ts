/** Bytes of a picture that are taken in the order in which they come, so that no picture is in memory as a whole. */
import type { Pieces } from '../../pieces.ts';

/** The file is no whole picture of its format, or says more than its pixels. */
export class PictureFault extends Error {
  override readonly name = 'PictureFault';
}

/** Takes bytes from pieces. */
export class Bytes {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #taken = 0;

  constructor(pieces: Pieces) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** The number of bytes that were taken. */
  get taken(): number {
    return this.#taken;
  }

  /** The next bytes. @throws PictureFault where the file ends before. */
  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      const part = await this.some(missing);
      if (part === null) throw new PictureFault('it breaks off');
      parts.push(part);
      missing -= part.byteLength;
    }
    return Buffer.concat(parts);
  }

  /** Some of the next bytes, at most so many; null at the end of the file. */
  async some(most: number): Promise<Buffer | null> {
    while (this.#rest.byteLength === 0) {
      const next = await this.#pieces.next();
      if (next.done === true) return null;
      this.#rest = Buffer.from(next.value);
    }
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.byteLength);
    this.#taken += part.byteLength;
    return part;
  }

  /** Gives back the last bytes that were taken. */
  giveBack(part: Buffer): void {
    this.#rest = Buffer.concat([part, this.#rest]);
    this.#taken -= part.byteLength;
  }

  /** Looks that the file ends here. @throws PictureFault. */
  async end(): Promise<void> {
    if ((await this.some(1)) !== null) throw new PictureFault('something follows its end');
  }
}

/** Size of a picture in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The longest side of a picture. */
const MOST_PIXELS_A_SIDE = 16_384;

/** Checks a size. @throws PictureFault. */
export function checkedSize(width: number, height: number): PictureSize {
  const isFit = [width, height].every((side) => side >= 1 && side <= MOST_PIXELS_A_SIDE);
  if (!isFit) throw new PictureFault(`it has ${width} x ${height} pixels`);
  return { width, height };
}
