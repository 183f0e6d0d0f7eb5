import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 200;
/** The part of the time waited so far for which the next look may be late. */
const LATE = 0.1;

/** The most of a turn that counts: a machine that stops for seconds stops what is waited for, too. */
const COUNTED_MS = 500;

/**
 * Waits until a condition holds; the error after the time-out names what was waited for. A condition that has not come soon is
 * looked for less often, because a look may ask the very service that is busy making it come. Time in which the machine stood still
 * does not count.
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  let waitedMs = 0;
  let turnAt = performance.now();
  while (!(await holds())) {
    const now = performance.now();
    waitedMs += Math.min(now - turnAt, COUNTED_MS);
    turnAt = now;
    if (waitedMs > timeoutMs) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}.`);
    await sleep(Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, waitedMs * LATE)));
  }
}
