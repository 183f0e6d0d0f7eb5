/**
 * Work that a hold must cover before a dispatch: verified, running and next tasks must together cost no more than is held, so no
 * execution ever does. A fixed price that is held whole covers every task from the start. Two kinds of executions look before
 * each dispatch: those whose seconds are measured, because a task may take longer than was estimated, and those whose hold the
 * customer has limited.
 *
 * A measured task that is not verified counts with its share of the ceiling, or with the longest task that the execution has
 * verified where that took longer, never with more than its time limit, and never with less than what its checkpoint holds. A cost beyond that is found once the task is
 * verified: the next dispatch needs it, and the charge stops at the hold. A new hold covers all of its tasks in the beginning, so
 * every execution does at least one of them, whatever the tasks of executions before took.
 */
import { costLines, totalMicro } from './charge.ts';
import { rateMicroOf } from './pricing.ts';
import type { Quote, TaskPricing, VerifiedTasks } from './pricing.ts';

/** Tasks of one price class that run or are to run; a class of null is the only class of the quote. */
export interface OpenTasks {
  readonly priceClass: string | null;
  readonly tasks: number;
  /** Milliseconds of work of these tasks that their checkpoints hold. */
  readonly keptMs: number;
}

/** The work of an execution at a dispatch. */
export interface DispatchedWork {
  readonly verified: readonly VerifiedTasks[];
  readonly open: readonly OpenTasks[];
  /** The milliseconds of the longest task that the execution has verified; 0 while there is none. */
  readonly longestMs: number;
  /** The time limit of a task. */
  readonly taskSeconds: number;
  readonly startFeeDue: boolean;
}

const PENNY = 10_000n * 1_000_000n;
const WHOLE_PERCENT = 100n;
/** A hold is extended by at least this part of itself, so that a long job is extended a few times and not for each task. */
const STEP_PART = 5;

/** Whether tasks of an execution with this offer are dispatched only when the hold covers them. */
export function coversDispatch(offer: Pick<Quote, 'pricing' | 'taskCount'>, isLimited: boolean): boolean {
  return isLimited || offer.pricing.model === 'measured';
}

/** Computes the hold that the work needs, in pence rounded up. */
export function neededPence(offer: Quote, work: DispatchedWork): number {
  const { pricing } = offer;
  const open = work.open.map(({ priceClass, tasks, keptMs }) => ({
    priceClass,
    tasks,
    meteredMs: Math.max(keptMs, mostMs(pricing, offer.taskCount, tasks, work)),
  }));
  const exact =
    totalMicro(costLines(offer, [...work.verified, ...open], work.startFeeDue)) * rateMicroOf(offer);
  return Number((exact + PENNY - 1n) / PENNY);
}

/**
 * The amounts by which a hold may be extended for what is needed, the first of them to be tried first; none where nothing is
 * missing, or where the limit of the customer is below what is needed.
 */
export function extensionsFor(
  needed: number,
  heldPence: number,
  limitPence: number | null,
): readonly number[] {
  const missing = needed - heldPence;
  if (missing <= 0 || (limitPence !== null && needed > limitPence)) return [];
  const most = limitPence === null ? Infinity : limitPence - heldPence;
  const step = Math.min(Math.max(missing, Math.ceil(heldPence / STEP_PART)), most);
  return step > missing ? [step, missing] : [missing];
}

/**
 * Computes the longest time that so many tasks may take, as far as is known. The share is rounded down, so that all shares are
 * the ceiling.
 */
function mostMs(
  pricing: TaskPricing,
  taskCount: number,
  tasks: number,
  { longestMs, taskSeconds }: Pick<DispatchedWork, 'longestMs' | 'taskSeconds'>,
): number {
  if (pricing.model === 'fixed') return 0;
  const ceilingMs = BigInt(pricing.estimatedSeconds) * 1000n * BigInt(pricing.ceilingPercent);
  const share = Number((ceilingMs * BigInt(tasks)) / (WHOLE_PERCENT * BigInt(taskCount)));
  return Math.min(Math.max(share, longestMs * tasks), taskSeconds * 1000 * tasks);
}
