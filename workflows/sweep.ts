import { housekeeping } from './lib/activities.ts';

/**
 * One round of the deployment's housekeeping, started by a schedule: instances whose token is not their slot's current
 * one, staged files whose URLs have expired, refused requests, expired idempotency rows. Each part is repeatable.
 */
export async function sweepDeployment(): Promise<void> {
  await housekeeping.sweepDeployment();
}

/** Recomputes every balance from the entries, started by a schedule; fails visibly when an identity is broken. */
export async function auditLedger(): Promise<void> {
  await housekeeping.auditLedger();
}
