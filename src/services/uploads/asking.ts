/**
 * Asking a workflow within a time limit. While the workflow takes no more messages, the recorded decision is read and
 * the question repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { UploadAnswer } from '../../adapters/temporal/uploads.ts';

const PAUSE_MS = 250;

/**
 * Asks until somebody decides or the wait is over. `recorded` answers what the database has decided, or null.
 */
export async function ask<T>(
  waitMs: number,
  send: (leftMs: number) => Promise<UploadAnswer<T>>,
  recorded: () => Promise<T | null>,
): Promise<UploadAnswer<T>> {
  const until = performance.now() + waitMs;
  for (;;) {
    const answer = await send(Math.max(1, until - performance.now()));
    if (answer.kind === 'decided') return answer;
    const decision = await recorded();
    if (decision !== null) return { kind: 'decided', decision };
    if (answer.kind !== 'busy' || performance.now() >= until) return answer;
    // The pause is jittered, so that requests that were refused together do not come back together.
    await sleep(PAUSE_MS * (0.5 + Math.random()));
  }
}
