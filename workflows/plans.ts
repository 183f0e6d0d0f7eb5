import { plans } from './lib/plan-activities.ts';

/** One round that grants the monthly allowances that are due, started by a schedule. A round does what rounds before it missed. */
export async function grantDueAllowances(): Promise<void> {
  await plans.grantDueAllowances();
}
