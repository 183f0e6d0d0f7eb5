/** Repeating what an outage may have stopped, and the errors for which repeating does not help. */
import { setTimeout as sleep } from 'node:timers/promises';

import { backOff } from '../domain/back-off.ts';

/** An error that repeating the same call does not cure. */
export class FinalError extends Error {}

/** The generation was fenced or its token is over: the instance has to end. */
export class FencedError extends FinalError {}

/** The gateway understood the call and refused it. */
export class RefusedError extends FinalError {}

/** The gateway refused the call because it is about more bytes than the task may have. */
export class TooLargeError extends RefusedError {}

/** The outputs are larger than what the task may use: its failure, however often they are staged. */
export class OutputLimitError extends FinalError {}

/** An output is not what the tool said. */
export class OutputError extends FinalError {}

/** An input cannot be used: a coded failure of every task. */
export class InputError extends FinalError {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The URL of an input is not accepted any more; a new claim brings another. */
export class InputUrlError extends FinalError {}

/** The instance itself cannot do the work: no disk, no descriptors, no tool. That is never the task's failure. */
export class InstanceError extends Error {}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** Repeats a call with back-off until it is answered, fails for good, or the signal aborts it. */
export async function repeat<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  const waitsMs = backOff(FIRST_WAIT_MS, LONGEST_WAIT_MS);
  for (;;) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (error instanceof FinalError) throw error;
    }
    // Spread out, so that many instances do not come back in one moment.
    await sleep(waitsMs.next().value * (0.5 + Math.random()), undefined, { signal });
  }
}

/** Waits for a promise no longer than the signal allows. */
export async function orAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(new DOMException('The work was given up.', 'AbortError'));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
