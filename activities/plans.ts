import type { DataSource } from 'typeorm';

import { grantDueAllowances } from '../src/services/plans/index.ts';
import type { GrantedAllowances } from '../src/services/plans/index.ts';

/** The activities of plans, as workflows call them. */
export type PlanActivities = ReturnType<typeof createPlanActivities>;

/** Makes the activities of plans. */
export function createPlanActivities({ db }: { readonly db: DataSource }) {
  return {
    /** Grants the monthly allowances that are due, and expires those that have ended. May run again: a period is granted once. */
    grantDueAllowances(): Promise<GrantedAllowances> {
      return grantDueAllowances(db);
    },
  };
}
