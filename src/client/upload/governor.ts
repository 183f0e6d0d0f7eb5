/**
 * How many parts are sent at once. The rule, over windows in which as many parts end as are sent at once (and at least
 * half a second passes):
 *
 * - Throughput decides. After a step up, at least 5 % more bytes a second means another step up; less means back to
 *   where it was, and four quiet windows. After a step down, 97 % of the throughput is enough to stay there: the same
 *   speed over fewer connections is kinder to everybody else.
 * - After quiet windows it probes again, up and down in turns, because networks change.
 * - An error that says "too much" (a timeout, a broken connection, 429, 5xx) halves the number, once a window.
 * - Throughput that falls to half without a step of ours makes the old figure worthless: measured anew.
 *
 * It has no clock of its own.
 */

/** Bounds of the number of parts. */
export interface GovernorBounds {
  readonly first: number;
  readonly most: number;
}

/** Decides how many parts are sent at once. */
export interface Governor {
  /** Parts that may be under way now. */
  readonly limit: number;
  /** A part has arrived. */
  arrived(bytes: number, nowMs: number): void;
  /** A part failed in a way that fewer parts may mend. */
  failed(nowMs: number): void;
}

type Step = 'none' | 'up' | 'down';

const WINDOW_MS = 500;
const QUIET_WINDOWS = 4;
const WORTH_MORE = 1.05;
const WORTH_LESS = 0.97;
const COLLAPSED = 0.5;

/** Makes a governor; the first window begins at `nowMs`. */
export function createGovernor(bounds: GovernorBounds, nowMs: number): Governor {
  return new ThroughputGovernor(bounds, nowMs);
}

class ThroughputGovernor implements Governor {
  readonly #most: number;
  #limit: number;
  #before: number;
  #step: Step = 'none';
  /** Bytes a second before the last step. */
  #rate = 0;
  #quiet = 0;
  #probesUp = true;
  #isHalved = false;
  #window: { readonly startMs: number; parts: number; bytes: number };

  constructor({ first, most }: GovernorBounds, nowMs: number) {
    this.#most = Math.max(1, most);
    this.#limit = Math.max(1, Math.min(first, most));
    this.#before = this.#limit;
    this.#window = { startMs: nowMs, parts: 0, bytes: 0 };
  }

  get limit(): number {
    return this.#limit;
  }

  arrived(bytes: number, nowMs: number): void {
    this.#window.parts += 1;
    this.#window.bytes += bytes;
    const elapsedMs = nowMs - this.#window.startMs;
    if (this.#window.parts < this.#limit || elapsedMs < WINDOW_MS) return;
    this.#judge((this.#window.bytes * 1000) / elapsedMs);
    this.#begin(nowMs);
  }

  failed(nowMs: number): void {
    // What was under way together fails together, and counts once.
    if (this.#isHalved) return;
    this.#move(Math.floor(this.#limit / 2), 'none');
    this.#rate = 0;
    this.#quiet = QUIET_WINDOWS;
    this.#begin(nowMs);
    this.#isHalved = true;
  }

  #begin(startMs: number): void {
    this.#window = { startMs, parts: 0, bytes: 0 };
    this.#isHalved = false;
  }

  #judge(found: number): void {
    if (this.#step === 'none') {
      this.#probe(found);
      return;
    }
    const isWorth = found >= this.#rate * (this.#step === 'up' ? WORTH_MORE : WORTH_LESS);
    if (!isWorth) {
      this.#move(this.#before, 'none');
      this.#quiet = QUIET_WINDOWS;
      return;
    }
    this.#rate = found;
    if (this.#step === 'up') this.#stepUp();
    else this.#step = 'none';
    if (this.#step === 'none') this.#quiet = QUIET_WINDOWS;
  }

  #probe(found: number): void {
    if (found < this.#rate * COLLAPSED) this.#quiet = 0;
    this.#rate = found;
    if (this.#quiet > 0) {
      this.#quiet -= 1;
      return;
    }
    if (this.#probesUp || this.#limit === 1) this.#stepUp();
    else this.#move(this.#limit - 1, 'down');
    this.#probesUp = !this.#probesUp;
    if (this.#step === 'none') this.#quiet = QUIET_WINDOWS;
  }

  #stepUp(): void {
    this.#move(this.#limit + Math.max(1, Math.floor(this.#limit / 4)), 'up');
  }

  #move(next: number, kind: Step): void {
    this.#before = this.#limit;
    this.#limit = Math.max(1, Math.min(next, this.#most));
    this.#step = this.#limit === this.#before ? 'none' : kind;
  }
}
