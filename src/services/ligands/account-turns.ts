/**
 * Runs the work of each account one piece after the other, so that an account with much or slow work delays its own
 * requests before it delays those of other accounts. The number of waiting requests of an account is bounded.
 */
import pLimit from 'p-limit';
import type { LimitFunction } from 'p-limit';

import { AppError } from '../../domain/errors.ts';

const MOST_WAITING = 16;
const RETRY_SECONDS = 2;

/** Does the work of an account in its turn. @throws RATE_LIMITED when too many requests of the account wait. */
export type AccountTurns = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

/** Makes the turns of one process; an account without work takes no room. */
export function createAccountTurns(): AccountTurns {
  const turns = new Map<string, LimitFunction>();
  return async (accountId, work) => {
    const turn = turns.get(accountId) ?? pLimit(1);
    if (turn.pendingCount >= MOST_WAITING) {
      throw new AppError(
        'RATE_LIMITED',
        `More than ${MOST_WAITING} requests of this account wait to be resolved. Send them one after the other.`,
        { retryAfterSeconds: RETRY_SECONDS },
      );
    }
    turns.set(accountId, turn);
    try {
      return await turn(work);
    } finally {
      if (turn.activeCount + turn.pendingCount === 0) turns.delete(accountId);
    }
  };
}
