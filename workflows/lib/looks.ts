/**
 * Looks at an instance, for a job and for its parts. The first look takes a few seconds, because an instance on the same
 * machine answers within one; the later looks are short, and the workflow waits between them, so that an instance that
 * boots for minutes holds no slot of a worker meanwhile.
 */
import { sleep } from '@temporalio/workflow';
import type { Verdict } from '../../activities/instances.ts';
import { backOff } from '../../src/domain/back-off.ts';

const FIRST_LOOK_MS = 3000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;

/** Looks until there is a verdict; null when none is wanted any more. */
export async function untilVerdict(
  look: (lookMs: number) => Promise<Verdict | null>,
  { summary, isWanted }: { readonly summary: string; readonly isWanted: () => boolean },
): Promise<Verdict | null> {
  const waits = backOff(FIRST_WAIT_MS, LONGEST_WAIT_MS);
  for (let lookMs = FIRST_LOOK_MS; ; lookMs = 0) {
    const verdict = await look(lookMs);
    if (verdict !== null || !isWanted()) return verdict;
    await sleep(waits.next().value, { summary });
  }
}
