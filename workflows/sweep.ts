import { housekeeping } from './lib/activities.ts';

/**
 * One round of the deployment's housekeeping, started by a schedule. A round removes, among others, instances whose
 * token is not the current one of their slot, staged files whose URLs have expired, refused requests and expired
 * idempotency rows. Each step is repeatable.
 */
export async function sweepDeployment(): Promise<void> {
  await housekeeping.sweepDeployment();
}

/** One round that ends jobs which have been paused for long, started by a schedule. A round does what rounds before it missed. */
export async function endLongPauses(): Promise<void> {
  await housekeeping.endLongPauses();
}

/** Recomputes every balance from the entries, started by a schedule; fails visibly when an identity is broken. */
export async function auditLedger(): Promise<void> {
  await housekeeping.auditLedger();
}
