/**
 * Plans: what an account gets for a month, and when its months begin. Pure rules over the calendar of UTC. A month that began on
 * the 31st ends with the last day of a shorter month, and the one after begins on the 31st again.
 */

/** Every plan. */
export const PLANS = ['free', 'pro'] as const;

/** The plan of an account. */
export type Plan = (typeof PLANS)[number];

/** The monthly credits of the plan pro; what is left of them expires with their month. */
export const PRO_ALLOWANCE_PENCE = 2_000;

/** A month of a plan, counted from the plan's beginning. */
export interface PlanMonth {
  readonly n: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** The month that a time is in, for a plan that began at the anchor; null before the anchor. */
export function planMonthAt(anchor: Date, at: Date): PlanMonth | null {
  if (at < anchor) return null;
  const years = at.getUTCFullYear() - anchor.getUTCFullYear();
  const months = years * 12 + at.getUTCMonth() - anchor.getUTCMonth();
  const n = monthsAfter(anchor, months) > at ? months - 1 : months;
  return { n, startsAt: monthsAfter(anchor, n), endsAt: monthsAfter(anchor, n + 1) };
}

function monthsAfter(anchor: Date, months: number): Date {
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const moved = new Date(anchor);
  moved.setUTCFullYear(year, month, Math.min(anchor.getUTCDate(), lastDay));
  return moved;
}

/** POST /settings/billing/subscribe. */
export interface SubscribeRequest {
  readonly successUrl?: string;
  readonly cancelUrl?: string;
}

/** POST /settings/billing/portal. */
export interface PortalRequest {
  readonly returnUrl?: string;
}
