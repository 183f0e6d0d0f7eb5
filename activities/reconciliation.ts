import { Context } from '@temporalio/activity';

import { reconcile } from '../src/services/reconciliation/index.ts';
import type { ReconcileDependencies } from '../src/services/reconciliation/index.ts';
import { beating } from './beating.ts';

/** The activities of reconciliation, as workflows call them. */
export type ReconciliationActivities = ReturnType<typeof createReconciliationActivities>;

/** Makes the activity that compares the books with the world outside. */
export function createReconciliationActivities(deps: ReconcileDependencies) {
  return {
    /** Compares the books with the provider of payments and with the workflows. May run again: what it finds is recorded once. */
    reconcileBooks(): Promise<void> {
      const { log } = Context.current();
      return beating(
        reconcile(deps, (difference) => {
          log.error('reconciliation found a difference', { ...difference });
        }),
      );
    },
  };
}
