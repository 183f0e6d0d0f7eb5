/** Top-ups and subscriptions, as the API calls them. */
import { bound } from '../bound.ts';
import { openPortal, subscribe } from './subscriptions.ts';
import { listTiers, listTopups, readTopup, startTopup } from './topups.ts';
import type { TopupDependencies } from './topups.ts';

/** Makes the operations on top-ups and subscriptions; each one that needs a provider of payments throws PAYMENTS_NOT_CONFIGURED without one. */
export function createPayments(deps: TopupDependencies) {
  const [of, read] = [bound(deps), bound(deps.db)];
  return {
    topups: { tiers: listTiers, start: of(startTopup), list: read(listTopups), read: read(readTopup) },
    subscriptions: { subscribe: of(subscribe), portal: of(openPortal) },
  };
}
