/**
 * The cost that a measured job comes to when it is done, as far as is seen while it runs: by the progress of its running tasks, by
 * the time of its verified ones, or by nothing but its estimate. A range, because progress is told in whole percent and tasks differ.
 */
import { costLines, dueCredits } from './charge.ts';
import type { Quote, VerifiedTasks } from './pricing.ts';

/** Bases of a forecast, the best first. */
export const FORECAST_BASES = ['PROGRESS', 'VERIFIED', 'ESTIMATE'] as const;

/** Facts that a forecast is made from, over all executions of a job. */
export interface SeenWork {
  /** The tasks that are verified, and their milliseconds. */
  readonly verifiedTasks: number;
  readonly verifiedMs: number;
  /** The running tasks that have told progress, their milliseconds so far, and what these come to at the progress told. */
  readonly movingTasks: number;
  readonly movingMs: number;
  readonly wholeMs: number;
  /** Tasks that are neither verified nor failed, nor have told progress. */
  readonly waitingTasks: number;
  /** The milliseconds of tasks that are not verified, which earlier executions have charged. */
  readonly paidMs: number;
}

/** The money of the execution that runs. */
export interface ForecastMoney {
  readonly quote: Quote;
  /** Tasks that the execution has verified. */
  readonly verified: readonly VerifiedTasks[];
  /** Pence that earlier executions have charged. */
  readonly chargedPence: number;
}

/** A forecast of all that a job is charged, in pence. */
export interface CostForecast {
  readonly lowCents: number;
  readonly highCents: number;
  readonly basis: (typeof FORECAST_BASES)[number];
}

/** The part by which what is left of running tasks may be off, and what is known of others by those that are done or run. */
const SPREAD = 0.1;

/** Makes the forecast; null where the price is fixed. */
export function forecastOf(
  { quote, verified, chargedPence }: ForecastMoney,
  seen: SeenWork,
): CostForecast | null {
  const { pricing } = quote;
  if (pricing.model === 'fixed') return null;
  const { movingTasks, movingMs, wholeMs, waitingTasks, paidMs } = seen;
  const known = seen.verifiedTasks + movingTasks;
  const meanMs = known === 0 ? 0 : (seen.verifiedMs + wholeMs) / known;
  const estimatedMs = (pricing.estimatedSeconds * 1000) / quote.taskCount;
  const leftMs = wholeMs - movingMs;
  const pence = (spread: number, unknownMs: number): number => {
    const each = known === 0 ? unknownMs : meanMs * (1 + spread);
    const openMs = movingMs + leftMs * (1 + spread) + waitingTasks * each - paidMs;
    const open = {
      priceClass: null,
      tasks: movingTasks + waitingTasks,
      meteredMs: Math.max(0, Math.round(openMs)),
    };
    const lines = costLines(quote, [...verified, open], chargedPence === 0);
    return chargedPence + dueCredits(quote, lines).duePence;
  };
  return {
    lowCents: pence(-SPREAD, estimatedMs),
    highCents: pence(SPREAD, (estimatedMs * pricing.ceilingPercent) / 100),
    basis: movingTasks > 0 ? 'PROGRESS' : seen.verifiedTasks > 0 ? 'VERIFIED' : 'ESTIMATE',
  };
}
