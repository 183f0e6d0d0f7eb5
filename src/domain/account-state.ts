/**
 * Whether an account may start anything. Suspended: its keys are refused, and it gets neither holds nor grants; jobs that
 * were admitted before run to their end and are settled, because their credits were reserved while the account was
 * active; a job that needs more than was reserved pauses. Closed: the same for ever, and the files of the account are removed.
 */
import { AppError } from './errors.ts';

/** Every state of an account. */
export const ACCOUNT_STATES = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;

/** The state of an account. */
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** A state in which an account starts nothing. */
export type InactiveState = Exclude<AccountState, 'ACTIVE'>;

/** The code and the customer's text of what an account is refused for its state. */
export function inactiveRefusal(state: InactiveState): {
  readonly code: 'ACCOUNT_SUSPENDED' | 'ACCOUNT_CLOSED';
  readonly message: string;
} {
  switch (state) {
    case 'SUSPENDED':
      return {
        code: 'ACCOUNT_SUSPENDED',
        message:
          'The account is suspended. Ask the operator of the service; jobs that run already go on to their end.',
      };
    case 'CLOSED':
      return { code: 'ACCOUNT_CLOSED', message: 'The account is closed.' };
    default:
      return state satisfies never;
  }
}

/** The refusal of what only an active account may do. */
export function inactiveAccount(state: InactiveState): AppError {
  const { code, message } = inactiveRefusal(state);
  return new AppError(code, message);
}

/** Whether an operator may move an account from one state to the other; a closed account stays closed. */
export function canBecome(state: AccountState, next: AccountState): boolean {
  return state === next || state !== 'CLOSED';
}
