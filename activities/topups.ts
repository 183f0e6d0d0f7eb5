import { followTopup } from '../src/services/payments/index.ts';
import type { FollowDependencies, FollowedTopup } from '../src/services/payments/index.ts';

/** The activities of top-ups, as the top-up workflow calls them. */
export type TopupActivities = ReturnType<typeof createTopupActivities>;

/** Makes the activities of top-ups. */
export function createTopupActivities(deps: FollowDependencies) {
  return {
    /** Asks the provider how far the top-up is, and applies the answer. May run again: credits are posted once. */
    followTopup({ topupId }: { topupId: string }): Promise<FollowedTopup> {
      return followTopup(deps, topupId);
    },
  };
}
