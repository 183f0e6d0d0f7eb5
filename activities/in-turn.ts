import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

import { NoTurnError } from '../src/services/file-turns.ts';

/**
 * Work for which there may be no turn now: the attempt ends at once, so that it holds no slot, and the next one comes
 * when it was told to. Waiting is no fault, so it is none in logs and metrics.
 */
export async function inTurn<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof NoTurnError)) throw error;
    throw ApplicationFailure.create({
      message: error.message,
      type: error.name,
      nextRetryDelay: error.againInMs,
      category: ApplicationFailureCategory.BENIGN,
    });
  }
}
