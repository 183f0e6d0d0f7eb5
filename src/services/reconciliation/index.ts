/** Reconciliation: the books against the provider of payments and against the workflows, each night. */
import type { JobWorkflows } from '../../adapters/temporal/client.ts';
import type { FollowDependencies } from '../payments/index.ts';
import { compareBalance } from './balance.ts';
import { compareCheckouts } from './checkouts.ts';
import { recordDifferences } from './differences.ts';
import type { Difference } from './differences.ts';
import { compareHolds } from './holds.ts';
import { compareSubscriptions } from './subscriptions.ts';

export { compareBalance } from './balance.ts';
export { compareCheckouts } from './checkouts.ts';
export { compareHolds } from './holds.ts';
export { compareSubscriptions } from './subscriptions.ts';
export { countDifferences, listDifferences, recordDifferences } from './differences.ts';
export type { Difference, KeptDifference } from './differences.ts';

/** Sources that are compared with the books. */
export type ReconcileDependencies = FollowDependencies & {
  readonly workflows: Pick<JobWorkflows, 'isOpen'>;
};

/** A comparison by its name. */
export type Comparison = (deps: ReconcileDependencies) => Promise<readonly Difference[]>;

/**
 * Every comparison. Without a provider of payments those of payments find nothing.
 */
export const COMPARISONS: Readonly<Record<string, Comparison>> = {
  checkouts: async (deps) => (deps.payments === null ? [] : compareCheckouts(deps)),
  balance: async ({ db, payments }) => (payments === null ? [] : compareBalance(db, payments)),
  subscriptions: (deps) => compareSubscriptions(deps),
  holds: ({ db, workflows }) => compareHolds(db, (jobId) => workflows.isOpen(jobId)),
};

/** The names of all comparisons. */
export const COMPARISON_NAMES: readonly string[] = Object.keys(COMPARISONS);

/**
 * Makes every comparison, records what it has found, and tells of each difference. A comparison that fails leaves what was recorded
 * before, and the others are made. @throws the first failure, after all were tried.
 */
export async function reconcile(
  deps: ReconcileDependencies,
  tell: (difference: Difference & { readonly check: string }) => void,
): Promise<void> {
  const failures: unknown[] = [];
  for (const [check, compare] of Object.entries(COMPARISONS)) {
    try {
      const found = await compare(deps);
      await recordDifferences(deps.db, check, found);
      for (const difference of found) tell({ check, ...difference });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
