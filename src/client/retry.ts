/** Repeats calls: with exponential pauses and full jitter, and with no pause shorter than the service asks for. */
import { ClientError } from './errors.ts';

/** Attempts of a call, and the pauses between them. */
export interface RetryPolicy {
  /** Attempts in all; 1 means none is repeated. */
  readonly attempts: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** About a minute of patience: longer than a restart of the service takes. */
export const DEFAULT_RETRY: RetryPolicy = { attempts: 10, firstPauseMs: 200, longestPauseMs: 10_000 };

/** Longest wait that the client does by itself; a caller who is asked to wait longer is told the reason instead, and decides. */
const LONGEST_ASKED_SECONDS = 120;

/** Runs a repeatable call until it succeeds, fails for good, or the attempts are used up. */
export async function withRetry<T>(
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
  isPassing: (error: unknown) => boolean = (error) => error instanceof ClientError && error.passing,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error) || attempt >= policy.attempts) throw error;
      const asked = error instanceof ClientError ? error.retryAfterSeconds : null;
      if ((asked ?? 0) > LONGEST_ASKED_SECONDS) throw error;
      await pause(pauseMs(policy, attempt, asked), signal);
    }
  }
}

/** The pause after an attempt. */
export function pauseMs(policy: RetryPolicy, attempt: number, retryAfterSeconds: number | null): number {
  const grown = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** (attempt - 1));
  const asked = (retryAfterSeconds ?? 0) * 1000;
  return asked + Math.random() * grown;
}

/** Waits; when the caller's signal aborts, the wait ends with the reason of that signal. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, ms);
    function end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    }
    signal?.addEventListener('abort', end);
  });
  signal?.throwIfAborted();
}
