/** The token of a launch: the provider's idempotency token and the tag of the instance, of at most 64 characters. */
import { createHash } from 'node:crypto';

import type { Generation } from './instances.ts';

/** The candidate of a generation's launch that is asked, and how often the launch began with the first one again. */
export interface Attempt {
  readonly candidate: number;
  readonly round: number;
}

/** The token of one candidate in one round; it follows from nothing else, so no lost row lets it start a second instance. */
export function launchTokenOf(
  { jobId, slot, generation }: Generation,
  { candidate, round }: Attempt,
): string {
  const name = `dockyard/launch/${jobId}/${String(slot)}.${String(generation)}/${String(candidate)}.${String(round)}`;
  return createHash('sha256').update(name).digest('hex');
}
