/**
 * Errors of the end of an execution. Each step of the end is attempted, because a step that fails keeps no later step
 * from being done, least of all the settlement; the first error is answered, so that the workflow fails when all is done.
 */
import { ActivityFailure, ApplicationFailure, ChildWorkflowFailure, log } from '@temporalio/workflow';

/** Runs every step in order, also after a step that failed, and answers the first error or null. */
export async function firstErrorOf(steps: readonly (() => Promise<unknown>)[]): Promise<Error | null> {
  let first: Error | null = null;
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log.error('a step of the end failed', { error: causeForLog(error) });
      first ??= error instanceof Error ? error : new Error(String(error));
    }
  }
  return first;
}

/** Awaits housekeeping that the sweep of the deployment does again: an error is logged and fails nothing. */
export async function leaveErrorToSweep(housekeeping: Promise<void>): Promise<void> {
  try {
    await housekeeping;
  } catch (error) {
    log.warn('left to the sweep', { error: causeForLog(error) });
  }
}

/** The message of an error, without the wrapping that failures of activities and child workflows have. */
export function causeOf(error: unknown): string {
  if (error instanceof ActivityFailure)
    return `${error.activityType}: ${error.cause?.message ?? error.message}`;
  if (error instanceof ChildWorkflowFailure) return causeOf(error.cause);
  return error instanceof Error ? error.message : String(error);
}

/**
 * The message of an error for the log of the worker. The message of an `AppError` is written for the customer and may name
 * the customer's own things, so the log has only the name of such an error.
 */
export function causeForLog(error: unknown): string {
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure)
    if (error.cause.type === 'AppError') return `${error.activityType}: AppError`;
  if (error instanceof ChildWorkflowFailure) return causeForLog(error.cause);
  return causeOf(error);
}
