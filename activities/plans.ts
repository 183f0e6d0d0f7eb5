import type { DataSource } from 'typeorm';

import { grantDueAllowances } from '../src/services/plans/index.ts';
import type { GrantedAllowances } from '../src/services/plans/index.ts';

export interface PlanActivityDependencies {
  readonly db: DataSource;
  /** Another clock than that of the database, for a test whose clock jumps. */
  readonly now?: () => Promise<Date>;
}

/** The activities of plans, as workflows call them. */
export type PlanActivities = ReturnType<typeof createPlanActivities>;

/** Makes the activities of plans. */
export function createPlanActivities({ db, now }: PlanActivityDependencies) {
  return {
    /** Grants the monthly allowances that are due, and expires those that have ended. May run again: a period is granted once. */
    async grantDueAllowances(): Promise<GrantedAllowances> {
      return grantDueAllowances(db, await now?.());
    },
  };
}
