/** Activities that are given up when something interrupts the workflow, or when their time is over. */
import { CancellationScope } from '@temporalio/workflow';

import { isOutOfTime } from './upload-activities.ts';

export interface InterruptionOptions {
  /** Whether the cancelled activity is waited for, and its value counts when it has one. */
  readonly awaitsCancelled?: boolean;
}

/** Runs an activity until the interruption comes or the activity is out of time; null when the activity was given up. */
export async function runInterruptible<T>(
  start: () => Promise<T>,
  interruption: Promise<void>,
  { awaitsCancelled = false }: InterruptionOptions = {},
): Promise<{ readonly value: T } | null> {
  const scope = new CancellationScope();
  const running = scope.run(start).then(
    (value) => ({ value }),
    (error: unknown) => {
      // An activity that fails after it was cancelled was given up, whatever its error says.
      if (scope.consideredCancelled || isOutOfTime(error)) return null;
      throw error;
    },
  );
  const first = await Promise.race([running, interruption.then(() => 'interrupted' as const)]);
  if (first !== 'interrupted') return first;
  scope.cancel();
  return awaitsCancelled ? running : null;
}
