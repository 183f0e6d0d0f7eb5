/**
 * The bytes of a file that have passed and are not forgotten yet. A reader of records tells the place of a record when the record
 * has ended, and its bytes may lie in several pieces by then; a record is bounded, so what is kept is bounded too.
 */
import type { Pieces } from '../pieces.ts';
import { MOST_RECORD_BYTES } from './record.ts';

/** The reader of records is behind by a piece at most, so a record that has just ended began no earlier than this. */
const KEPT_BYTES = 2 * MOST_RECORD_BYTES;

/** Keeps the latest pieces of a file. */
export class RecentBytes {
  readonly #pieces: { readonly start: number; readonly bytes: Uint8Array }[] = [];
  #passed = 0;

  /** Passes the pieces on, each kept and told before. */
  async *passing(pieces: Pieces, seen: (bytes: Uint8Array) => void): AsyncGenerator<Uint8Array, void> {
    for await (const bytes of pieces) {
      seen(bytes);
      this.#pieces.push({ start: this.#passed, bytes });
      this.#passed += bytes.byteLength;
      // Comments and blank lines end no record, however many there are.
      this.#forgetBefore(this.#passed - KEPT_BYTES);
      yield bytes;
    }
  }

  /** The bytes of a place, `end` not included; whatever ends before the place is forgotten. */
  take(start: number, end: number): Buffer {
    this.#forgetBefore(start);
    const parts = this.#pieces
      .filter(({ start: from }) => from < end)
      .map(({ start: from, bytes }) => bytes.subarray(Math.max(0, start - from), Math.max(0, end - from)));
    return Buffer.concat(parts);
  }

  #forgetBefore(place: number): void {
    for (let [first] = this.#pieces; first !== undefined; [first] = this.#pieces) {
      if (first.start + first.bytes.byteLength > place) return;
      this.#pieces.shift();
    }
  }
}
