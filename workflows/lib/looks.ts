/**
 * Looks at an instance, for a job and for its parts. The first look takes a few seconds, because an instance on the same machine
 * answers within one; the later looks are short, and the workflow waits between them, so that an instance that boots for minutes
 * holds no slot of a worker meanwhile. A workflow that is told of the instance's call looks at once.
 */
import { condition, sleep } from '@temporalio/workflow';
import type { Verdict } from '../../activities/instances.ts';
import { backOff } from '../../src/domain/back-off.ts';

const FIRST_LOOK_MS = 3000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15_000;
/**
 * Where calls are told, looks only find what cannot call any more. Instances boot for minutes, by the hundred, and every look is two
 * tasks of a workflow: looks of 15 s at 300 instances that boot take all that a control worker has.
 */
const LONGEST_WAIT_FOR_CALL_MS = 60_000;
/** A machine of a cloud does not call within its first seconds, and a provider that shows launches late tells nothing of them, either. */
const FIRST_WAIT_FOR_MACHINE_MS = 15_000;

export interface LookOptions {
  readonly summary: string;
  readonly isWanted: () => boolean;
  /** Whether the instance has called since the last look; absent: nobody tells. */
  readonly takeCall?: () => boolean;
  /** Whether the instance is a machine of a cloud that boots. */
  readonly isMachine?: boolean;
}

/** Looks until there is a verdict; null when none is wanted any more. */
export async function untilVerdict(
  look: (lookMs: number) => Promise<Verdict | null>,
  { summary, isWanted, takeCall, isMachine = false }: LookOptions,
): Promise<Verdict | null> {
  const waits = backOff(
    isMachine ? FIRST_WAIT_FOR_MACHINE_MS : FIRST_WAIT_MS,
    takeCall === undefined ? LONGEST_WAIT_MS : LONGEST_WAIT_FOR_CALL_MS,
  );
  for (let lookMs = FIRST_LOOK_MS; ;) {
    const verdict = await look(lookMs);
    if (verdict !== null || !isWanted()) return verdict;
    const waitMs = waits.next().value;
    if (takeCall === undefined) await sleep(waitMs, { summary });
    // The call comes a moment before the first contact, so this look lasts as long as the first one.
    else if (await condition(takeCall, waitMs, { summary })) {
      lookMs = FIRST_LOOK_MS;
      continue;
    }
    lookMs = 0;
  }
}
