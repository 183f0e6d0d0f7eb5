import { backOff } from '../domain/back-off.ts';

const FIRST_MS = 200;
const LONGEST_MS = 10_000;
const HEALTHY_LIFE_MS = 30_000;

/**
 * How long to wait before a child that ended is started again: doubling from 0.2 s to 10 s, and from the start again
 * once the child has lived for 30 s, so that one crash a day is repaired at once and a broken child does not spin.
 */
export class RestartWaits {
  #waitsMs = backOff(FIRST_MS, LONGEST_MS);

  /** The wait after a life of this length. */
  nextMs(livedMs: number): number {
    if (livedMs >= HEALTHY_LIFE_MS) this.#waitsMs = backOff(FIRST_MS, LONGEST_MS);
    return this.#waitsMs.next().value;
  }
}
