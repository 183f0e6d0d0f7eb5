/**
 * Rule for a verified task whose output is not in the store any more: the task is done again, until it has had all its attempts.
 * A charge of an earlier execution stays, and that execution is noted, so that no later execution charges the task once more.
 */

/** A verified task, as far as the loss of its output concerns the task. */
export interface VerifiedTask {
  /** The execution in which the task was verified. */
  readonly execution: number;
  readonly attempts: number;
  /** The earlier execution that has charged the task, although it was done again since. */
  readonly chargedIn: number | null;
}

/** The task as it stands afterwards. */
export interface SetBackTask {
  readonly state: 'PENDING' | 'FAILED';
  readonly chargedIn: number | null;
}

/** Attempts after which outputs that do not verify, or do not stay, fail their task. */
export const MAX_UNVERIFIED_ATTEMPTS = 4;

/** Sets a verified task back, as a loss that is found in the given execution does. */
export function withoutOutput(task: VerifiedTask, execution: number): SetBackTask {
  return {
    state: task.attempts >= MAX_UNVERIFIED_ATTEMPTS ? 'FAILED' : 'PENDING',
    chargedIn: task.chargedIn ?? (task.execution < execution ? task.execution : null),
  };
}
