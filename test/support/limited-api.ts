/** A gateway and an API of which every caller may ask one thing of a kind a minute, for suites that need no jobs. */
import type { Stack } from '../../src/stack/stack.ts';
import { startTestStack } from './stack.ts';

let shared: Promise<Stack> | null = null;

/** The stack that the suites of this process share; its health pages have no limit. */
export function limitedApi(): Promise<Stack> {
  shared ??= startTestStack({
    roles: ['gateway', 'api'],
    settings: { DOCKYARD_RATE_LIMIT_SCALE: '0.001' },
  });
  return shared;
}
