/**
 * Reads small parts of one object, such as the records of a library, of which a job has thousands. The bytes behind a small part
 * are read with it, because the next tasks most likely want it, and one request costs more than some KiB. Nothing here is
 * believed: whoever asks compares the bytes with the digest of the part.
 */
import type { StagedInput } from '../contracts/instance.ts';

/** A part of an object. */
export type RangedInput = StagedInput & { readonly range: NonNullable<StagedInput['range']> };

/** Asks the store for the bytes of a range; fewer are answered where the object ends. */
export type ReadRange = (
  input: RangedInput,
  range: RangedInput['range'],
  signal: AbortSignal,
) => Promise<Buffer>;

/** Parts of one size that are read at once, as far as they are small. */
const PARTS_AT_ONCE = 64;
const MOST_BYTES_AT_ONCE = 16 * 1024;
const MOST_KEPT = 32;

interface Stretch {
  readonly storageKey: string;
  readonly start: number;
  readonly end: number;
  readonly bytes: Promise<Buffer>;
}

/** Whether a part is small enough to be read with what follows it. */
export function isSmallPart(input: StagedInput): input is RangedInput {
  return input.range !== undefined && input.range.end - input.range.start <= MOST_BYTES_AT_ONCE;
}

/** Keeps the latest stretches that were read. */
export class RecordReader {
  readonly #read: ReadRange;
  readonly #kept: Stretch[] = [];

  constructor(read: ReadRange) {
    this.#read = read;
  }

  /** The bytes of a part; fewer where the object ends before. @throws what reading throws. */
  async read(input: RangedInput, signal: AbortSignal): Promise<Buffer> {
    const { range, storageKey } = input;
    const known = this.#kept.find(
      (one) => one.storageKey === storageKey && one.start <= range.start && range.end <= one.end,
    );
    if (known !== undefined) {
      // The reading may have been stopped with the caller that began it, or its URL may have expired: then the part is read anew.
      const bytes = await known.bytes.catch(() => null);
      if (bytes !== null) return bytes.subarray(range.start - known.start, range.end - known.start);
    }
    const bytes = await this.#begin(input, signal);
    return bytes.subarray(0, range.end - range.start);
  }

  #begin(input: RangedInput, signal: AbortSignal): Promise<Buffer> {
    const { range, storageKey } = input;
    const size = Math.min(PARTS_AT_ONCE * (range.end - range.start), MOST_BYTES_AT_ONCE);
    const whole = { start: range.start, end: range.start + size };
    const stretch = { storageKey, ...whole, bytes: this.#read(input, whole, signal) };
    this.#kept.unshift(stretch);
    this.#kept.splice(MOST_KEPT);
    stretch.bytes.catch(() => {
      const at = this.#kept.indexOf(stretch);
      if (at !== -1) this.#kept.splice(at, 1);
    });
    return stretch.bytes;
  }
}
