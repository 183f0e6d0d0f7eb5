/**
 * Asks for what tools a provider has, again and again. A provider that does not answer, such as a host that is still
 * starting, is asked again after half a second and then less and less often, so what it has is offered soon after its start.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { backOff } from '../../domain/back-off.ts';

/** How often a provider is asked, and who is told that it did not answer. */
export interface AskingOptions {
  readonly everyMs: number;
  readonly onFailure: (error: unknown) => void;
}

const FIRST_WAIT_MS = 500;

/** Asks at once and from then on; the function that it answers ends the asking. */
export function keepAsking(ask: () => Promise<void>, { everyMs, onFailure }: AskingOptions): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const askOn = async (): Promise<void> => {
    let waitsMs = backOff(Math.min(FIRST_WAIT_MS, everyMs), everyMs);
    while (!signal.aborted) {
      let waitMs = everyMs;
      try {
        await ask();
        waitsMs = backOff(Math.min(FIRST_WAIT_MS, everyMs), everyMs);
      } catch (error) {
        onFailure(error);
        waitMs = waitsMs.next().value;
      }
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  void askOn();
  return () => ending.abort();
}
