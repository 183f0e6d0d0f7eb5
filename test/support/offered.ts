/** Waits for what a service tells its customers of its simulators. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { TestApi } from './api.ts';
import { until } from './until.ts';

/** A host runs its packs, and the service hears of it, within seconds of their start; busy machines take longer. */
const OFFERED_MS = 120_000;
const LOOK_MS = 250;

/** Resolves when the service offers the simulator; a service that has just started does not know its packs yet. */
export function untilOffered(api: TestApi, key: string, simulator: string): Promise<void> {
  const isOffered = async (): Promise<boolean> => {
    const { body } = await api.call(key, 'GET', 'simulators');
    const { simulators } = body as { simulators: { id: string; available: boolean }[] };
    const offered = simulators.some(({ id, available }) => id === simulator && available);
    if (!offered) await sleep(LOOK_MS);
    return offered;
  };
  return until(`${simulator} is offered`, isOffered, OFFERED_MS);
}
