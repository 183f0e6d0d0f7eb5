import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds; the error after the time-out names what was waited for. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 15_000,
): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > timeoutMs)
      throw new Error(`Waited ${timeoutMs} ms in vain: ${what}.`);
    await sleep(20);
  }
}
