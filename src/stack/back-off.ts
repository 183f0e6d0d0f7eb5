const FIRST_MS = 200;
const LONGEST_MS = 10_000;
const HEALTHY_LIFE_MS = 30_000;

/**
 * How long to wait before a child that ended is started again: doubling from 0.2 s to 10 s, and 0.2 s again
 * once it has lived for 30 s, so that one crash a day is repaired at once and a broken child does not spin.
 */
export function nextBackOffMs(previousMs: number, livedMs: number): number {
  if (previousMs <= 0 || livedMs >= HEALTHY_LIFE_MS) return FIRST_MS;
  return Math.min(previousMs * 2, LONGEST_MS);
}
