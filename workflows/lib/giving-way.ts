/** Activities of an upload that give way to what ends it. */
import { CancellationScope } from '@temporalio/workflow';

import { isOutOfTime } from './upload-activities.ts';

/** How an activity gives way. */
export interface GivingWay {
  /** Whether it may be cancelled; asked once it is interrupted. */
  readonly mayCancel?: () => boolean;
  /** A cancelled attempt is waited for, and what it came to counts. */
  readonly mustSettle?: boolean;
}

/** Waits for an activity until it is interrupted or out of time: then null. */
export async function givingWay<T>(
  start: () => Promise<T>,
  interruption: Promise<void>,
  { mayCancel = () => true, mustSettle = false }: GivingWay = {},
): Promise<{ readonly value: T } | null> {
  const scope = new CancellationScope();
  const running = scope.run(start).then(
    (value) => ({ value }),
    (error: unknown) => {
      // What fails once it is cancelled was given up, whatever it says.
      if (scope.consideredCancelled || isOutOfTime(error)) return null;
      throw error;
    },
  );
  const first = await Promise.race([running, interruption.then(() => 'interrupted' as const)]);
  if (first !== 'interrupted') return first;
  if (!mayCancel()) return running;
  scope.cancel();
  return mustSettle ? running : null;
}
