/** Steps that must all be tried: the end of a job, where a failure keeps nothing that follows from being done. */
import { ActivityFailure, ChildWorkflowFailure, log } from '@temporalio/workflow';

/** Takes the steps in order, each whatever became of those before it; answers the first failure. */
export async function firstFault(steps: readonly (() => Promise<unknown>)[]): Promise<Error | null> {
  let first: Error | null = null;
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log.error('a step of the end failed', { error: causeOf(error) });
      first ??= error instanceof Error ? error : new Error(String(error));
    }
  }
  return first;
}

/** Housekeeping that the deployment's sweep does again: its failure is logged and ends nothing. */
export async function sweptLater(step: Promise<void>): Promise<void> {
  try {
    await step;
  } catch (error) {
    log.warn('left to the sweep', { error: causeOf(error) });
  }
}

/** What failed, without the wrapping that failures of activities and child workflows have. */
export function causeOf(error: unknown): string {
  if (error instanceof ActivityFailure)
    return `${error.activityType}: ${error.cause?.message ?? error.message}`;
  if (error instanceof ChildWorkflowFailure) return causeOf(error.cause);
  return error instanceof Error ? error.message : String(error);
}
