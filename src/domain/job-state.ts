/**
 * The job's state machine (docs/architecture.md). Pure: which state may follow which, and which end an execution.
 * Every path settles its execution's hold exactly once: at PAUSED or in the transaction of a terminal state,
 * and terminal states are entered only from FINALIZING or CANCELLING.
 */
export const JOB_STATES = [
  'SUBMITTED',
  'QUEUED',
  'PROVISIONING',
  'RUNNING',
  'RECOVERING',
  'PAUSED',
  'FINALIZING',
  'CANCELLING',
  'SUCCEEDED',
  'PARTIALLY_SUCCEEDED',
  'FAILED',
  'CANCELLED',
] as const;

/** A job's state as the customer sees it. */
export type JobState = (typeof JOB_STATES)[number];

/** States of a task. */
export const TASK_STATES = ['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

/** The state of a task as the customer sees it. */
export type TaskState = (typeof TASK_STATES)[number];

/** Why a paused job is paused. */
export type PauseReason = 'COST_LIMIT' | 'CREDITS' | 'LICENSE' | 'OPERATOR';

const NEXT: Readonly<Record<JobState, readonly JobState[]>> = {
  SUBMITTED: ['QUEUED', 'FINALIZING', 'CANCELLING'],
  QUEUED: ['PROVISIONING', 'PAUSED', 'FINALIZING', 'CANCELLING'],
  PROVISIONING: ['RUNNING', 'QUEUED', 'RECOVERING', 'PAUSED', 'FINALIZING', 'CANCELLING'],
  RUNNING: ['QUEUED', 'RECOVERING', 'PAUSED', 'FINALIZING', 'CANCELLING'],
  RECOVERING: ['RUNNING', 'QUEUED', 'PAUSED', 'FINALIZING', 'CANCELLING'],
  PAUSED: ['SUBMITTED', 'FINALIZING', 'CANCELLING'],
  FINALIZING: ['RECOVERING', 'PAUSED', 'CANCELLING', 'SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED'],
  CANCELLING: ['CANCELLED'],
  SUCCEEDED: [],
  PARTIALLY_SUCCEEDED: ['SUBMITTED'],
  FAILED: ['SUBMITTED'],
  CANCELLED: ['SUBMITTED'],
};

/** States in which an execution has ended for good; a resume starts the next execution. */
export const TERMINAL_STATES = ['SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

/** A state that ends an execution for good. */
export type TerminalState = (typeof TERMINAL_STATES)[number];

/** A state at which an execution is settled. */
export type ExecutionEnd = TerminalState | 'PAUSED';

/** States from which a resume starts the next execution; `SUBMITTED` follows each of them. */
export const RESUMABLE_STATES = ['PAUSED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

/** The states that may follow a state. */
export function nextStates(state: JobState): readonly JobState[] {
  return NEXT[state];
}

/** The states from which a state may be entered. */
export function previousStates(state: JobState): readonly JobState[] {
  return JOB_STATES.filter((from) => NEXT[from].includes(state));
}

/** Whether a job may go from one state to another. */
export function mayFollow(from: JobState, to: JobState): boolean {
  return NEXT[from].includes(to);
}

/** Whether an execution has ended. A client may read a state that it does not know; such a state is no end. */
export function isTerminal(state: string): state is TerminalState {
  return TERMINAL_STATES.some((terminal) => terminal === state);
}

/** Whether entering the state settles the execution's hold. */
export function settlesHold(state: JobState): boolean {
  return state === 'PAUSED' || isTerminal(state);
}

/** Whether a job in this state may be resumed; a paused job that is being cancelled may not. */
export function isResumable(state: JobState, isBeingCancelled: boolean): boolean {
  const isStopped = RESUMABLE_STATES.some((resumable) => resumable === state);
  return isStopped && !(state === 'PAUSED' && isBeingCancelled);
}

/** Decides the end of an execution: a requested cancel makes CANCELLED of any end but a pause and a failure for a reason. */
export function endOf(
  { to, reason }: { readonly to: ExecutionEnd; readonly reason: string | null },
  isCancelRequested: boolean,
): ExecutionEnd {
  return isCancelRequested && to !== 'PAUSED' && reason === null ? 'CANCELLED' : to;
}

/** Whether the job may end so from its present state; on the way to CANCELLED the state CANCELLING may be left out. */
export function mayEnd(from: JobState, to: ExecutionEnd): boolean {
  return from === to || mayFollow(from, to) || (to === 'CANCELLED' && mayFollow(from, 'CANCELLING'));
}

/**
 * The terminal state that a finished job deserves: FAILED when no task was verified, PARTIALLY_SUCCEEDED when some
 * were or what is made of all of them is missing, SUCCEEDED when nothing is. Counts are over all executions.
 */
export function outcomeOf(
  verified: number,
  total: number,
  isMergeMissing = false,
): Exclude<TerminalState, 'CANCELLED'> {
  if (verified === 0) return 'FAILED';
  return verified < total || isMergeMissing ? 'PARTIALLY_SUCCEEDED' : 'SUCCEEDED';
}
