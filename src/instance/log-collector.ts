/**
 * What one task prints, bounded: it is always drained, kept up to a limit, then dropped with one note that says so.
 */
import { LOG_CHUNK_BYTES } from '../contracts/instance.ts';

const NOTE = '\n[dockyard: the log is over its limit; what follows is not kept]\n';

/** A piece of a log and its place. */
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

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Bytes that the tool printed, kept or not. */
  get printedBytes(): number {
    return this.#printed;
  }

  /** Whether bytes wait to be sent. */
  get hasPending(): boolean {
    return this.#pendingBytes > 0;
  }

  /** Takes what the tool printed. */
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

  /** The next piece to send; it stays pending until `sent`. */
  peek(): LogPiece {
    const all = Buffer.concat(this.#pending);
    this.#pending = all.byteLength > 0 ? [all] : [];
    return { from: this.#taken, bytes: all.subarray(0, LOG_CHUNK_BYTES) };
  }

  /** The piece has arrived. */
  sent(piece: LogPiece): void {
    const length = piece.bytes.byteLength;
    const rest = Buffer.concat(this.#pending).subarray(length);
    this.#pending = rest.byteLength > 0 ? [rest] : [];
    this.#pendingBytes -= length;
    this.#taken += length;
  }

  /** Nobody takes it any more: what waits is dropped, and what follows. */
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
