/**
 * The log of one task, with a bound: everything that the tool prints is read, bytes up to the limit are kept, and what
 * the tool prints beyond the limit is dropped after one note that says so.
 */
import { LOG_CHUNK_BYTES } from '../contracts/instance.ts';

const NOTE = '\n[dockyard: the log is over its limit; what follows is not kept]\n';

/** A piece of a log, and the offset at which the piece begins. */
export interface LogPiece {
  readonly from: number;
  readonly bytes: Buffer;
}

/** The log of one task. */
export class LogCollector {
  readonly #limitBytes: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #taken = 0;
  #printed = 0;
  #isFull = false;

  /** Opens the log, from the byte on at which the former leg of the task has ended. */
  constructor(limitBytes: number, from = 0) {
    this.#limitBytes = limitBytes;
    this.#taken = from;
  }

  /** The offset behind the last byte that is kept. */
  get end(): number {
    return this.#taken + this.#pendingBytes;
  }

  /** How many bytes the tool has printed, kept or dropped. */
  get printedBytes(): number {
    return this.#printed;
  }

  /** Whether kept bytes have not been sent yet. */
  get hasPending(): boolean {
    return this.#pendingBytes > 0;
  }

  /** Adds bytes that the tool has printed. */
  write(bytes: Buffer): void {
    this.#printed += bytes.byteLength;
    if (this.#isFull) return;
    const room = this.#limitBytes - this.#taken - this.#pendingBytes;
    this.#keep(bytes.byteLength <= room ? bytes : Buffer.from(bytes.subarray(0, room)));
    if (bytes.byteLength > room) {
      this.#isFull = true;
      this.#keep(Buffer.from(NOTE));
    }
  }

  /** The next piece to send; the piece stays pending until `sent` is called with the piece. */
  peek(): LogPiece {
    const all = Buffer.concat(this.#pending);
    this.#pending = all.byteLength > 0 ? [all] : [];
    return { from: this.#taken, bytes: all.subarray(0, LOG_CHUNK_BYTES) };
  }

  /** Drops a piece that the gateway has stored. */
  sent(piece: LogPiece): void {
    const length = piece.bytes.byteLength;
    const rest = Buffer.concat(this.#pending).subarray(length);
    this.#pending = rest.byteLength > 0 ? [rest] : [];
    this.#pendingBytes -= length;
    this.#taken += length;
  }

  /** Drops everything that is pending or printed later, because the gateway refuses the log. */
  forget(): void {
    this.#isFull = true;
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #keep(bytes: Buffer): void {
    if (bytes.byteLength === 0) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.byteLength;
  }
}
