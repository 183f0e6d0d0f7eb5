/** Repeats calls that an outage may have stopped, and names the errors for which a repetition does not help. */
import { setTimeout as sleep } from 'node:timers/promises';

import { backOff } from '../domain/back-off.ts';

/** An error that repeating the same call does not cure. */
export class FinalError extends Error {}

/** The generation was fenced or its token is not accepted any more: the instance has to end. */
export class FencedError extends FinalError {}

/** The gateway understood the call and refused it. */
export class RefusedError extends FinalError {}

/** The gateway refused the call because the files of the task are larger than the task may have. */
export class TooLargeError extends RefusedError {}

/** The outputs are larger than the task may have; the task fails, because staging again would fail again. */
export class OutputLimitError extends FinalError {}

/** An output is not what the tool has reported. */
export class OutputError extends FinalError {}

/** An input cannot be used; every task that reads the input fails with the code. */
export class InputError extends FinalError {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The URL of an input is not accepted any more; a new claim answers a new URL. */
export class InputUrlError extends FinalError {}

/** The programs of a tool are not on this machine, and did not come while they were waited for: the task fails. */
export class ToolMissingError extends FinalError {
  readonly code = 'PACK_NOT_INSTALLED';
}

/** The instance itself cannot do the work, for want of disk, descriptors or the tool. The task does not fail by that. */
export class InstanceError extends Error {}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** Repeats a call with back-off until the call is answered, fails for good, or the signal is aborted. */
export async function repeat<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  const waitsMs = backOff(FIRST_WAIT_MS, LONGEST_WAIT_MS);
  for (;;) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (error instanceof FinalError) throw error;
    }
    // The wait is spread at random, so that many instances do not come back in one moment.
    await sleep(waitsMs.next().value * (0.5 + Math.random()), undefined, { signal });
  }
}

/** Waits for a promise until the signal is aborted; then the wait is rejected with an AbortError. */
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
