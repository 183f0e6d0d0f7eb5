import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

import { NoTurnError } from '../src/services/file-turns.ts';

/**
 * Runs work for which the account may have no turn now. An attempt without a turn ends at once, so that the attempt holds
 * no slot, and names the time of the next attempt. The failure of the attempt counts as benign, so logs and metrics
 * show no fault.
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
