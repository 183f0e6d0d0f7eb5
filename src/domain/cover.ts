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
 *
 * A task that keeps checkpoints is no blind spot for as long as it runs: it is handed back after a leg, and the next leg is covered
 * before it is dispatched. A leg is as long as what is done already, so that a task which takes far longer than was estimated is
 * dispatched a few times only, and never longer than the setting says. Up to its share of the ceiling no more is
 * covered for it, so a job whose tasks take what was expected never asks for more.
 */
import { costLines, totalMicro } from './charge.ts';
import { rateMicroOf } from './pricing.ts';
import type { Quote, VerifiedTasks } from './pricing.ts';

/**
 * Tasks of one price class that run or are to run; a class of null is the only class of the quote. A task that has kept something
 * stands alone.
 */
export interface OpenTasks {
  readonly priceClass: string | null;
  readonly tasks: number;
  /** Milliseconds of uncharged work of these tasks that their checkpoints hold. */
  readonly keptMs: number;
  /** Milliseconds of work that are covered for each of them already; null for those that are to be covered. */
  readonly coveredMs: number | null;
}

/** The work of an execution at a dispatch. */
export interface DispatchedWork {
  readonly verified: readonly VerifiedTasks[];
  readonly open: readonly OpenTasks[];
  /** The milliseconds of the longest task that the execution has verified; 0 while there is none. */
  readonly longestMs: number;
  /** The time limit of a task, or of one leg of it. */
  readonly taskSeconds: number;
  /** The longest leg of a task that keeps checkpoints. */
  readonly legSeconds: number;
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
  const open = work.open.map((some) => ({
    priceClass: some.priceClass,
    tasks: some.tasks,
    meteredMs: coverMs(offer, some, work) * some.tasks,
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
 * Computes the milliseconds of work that are to be covered for each of some tasks, as far as is known what they take. The share is
 * rounded down, so that all shares are the ceiling.
 */
export function coverMs(
  { pricing, taskCount }: Pick<Quote, 'pricing' | 'taskCount'>,
  { keptMs, coveredMs }: Pick<OpenTasks, 'keptMs' | 'coveredMs'>,
  { longestMs, taskSeconds, legSeconds }: Pick<DispatchedWork, 'longestMs' | 'taskSeconds' | 'legSeconds'>,
): number {
  if (pricing.model === 'fixed') return 0;
  if (coveredMs !== null && keptMs > 0) return Math.max(keptMs, coveredMs);
  const ceilingMs = BigInt(pricing.estimatedSeconds) * 1000n * BigInt(pricing.ceilingPercent);
  const share = Number(ceilingMs / (WHOLE_PERCENT * BigInt(taskCount)));
  const expected = Math.max(share, longestMs);
  const leg = Math.min(legSeconds * 1000, keptMs);
  return Math.min(keptMs < expected ? expected : keptMs + leg, keptMs + taskSeconds * 1000);
}
