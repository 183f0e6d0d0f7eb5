/**
 * The price of a noop job: a penny a task; or the pence that the request names for each task, where each amount is a
 * price class; or a penny for each measured second. Two pence start a job.
 */
import { CEILING_PERCENT } from '../../domain/pricing.ts';
import type { Priced } from '../../domain/priced.ts';
import type { PriceClass, TaskPricing } from '../../domain/pricing.ts';
import type { PlannableRequest } from '../tool.ts';

/** The part of `metadata.noop` on which the price depends. */
export interface NoopPrices {
  readonly seconds: number;
  /** Whether each task has a price, or the seconds of the tasks are measured. */
  readonly pricing: 'fixed' | 'measured';
  /** Pence of each task, repeated over the tasks. */
  readonly pence: readonly number[];
}

const MICRO_GBP_PER_PENNY = 10_000;
const SECONDS_PER_HOUR = 3600;
const SECONDS_PER_MINUTE = 60;
const MAX_ESTIMATED_SECONDS = 86_400;
const FEES = {
  currency: 'GBP',
  startFeeMicro: 2 * MICRO_GBP_PER_PENNY,
  softwareMicro: 0,
  storageMicro: 0,
  egressMicro: 0,
  licenceNames: [],
} as const;

/** The price of a job; `metadata.taskRuntimeMinutes` is the expected time of a measured task. */
export function priceWaits(
  { seconds, pricing, pence }: NoopPrices,
  { metadata }: Pick<PlannableRequest, 'metadata'>,
  taskCount: number,
): TaskPricing {
  if (pricing === 'fixed') return { ...FEES, model: 'fixed', classes: priceClasses(pence, taskCount) };
  const taskSeconds = taskSecondsOf(seconds, metadata);
  return {
    ...FEES,
    model: 'measured',
    microPerHour: MICRO_GBP_PER_PENNY * SECONDS_PER_HOUR,
    estimatedSeconds: Math.ceil(Math.min(taskSeconds, MAX_ESTIMATED_SECONDS) * taskCount),
    ceilingPercent: CEILING_PERCENT,
  };
}

/** Picks the values of a request that the price of a job reads. */
export function pricedWaits(
  { seconds, pricing, pence }: NoopPrices,
  { metadata }: Pick<PlannableRequest, 'metadata'>,
): Priced {
  const how =
    pricing === 'measured'
      ? { 'the seconds of a task': taskSecondsOf(seconds, metadata) }
      : { 'metadata.noop.pence': pence };
  return { fields: { 'metadata.noop.pricing': pricing, ...how }, sizes: {} };
}

function taskSecondsOf(seconds: number, metadata: PlannableRequest['metadata']): number {
  const { taskRuntimeMinutes } = metadata ?? {};
  return typeof taskRuntimeMinutes === 'number' ? taskRuntimeMinutes * SECONDS_PER_MINUTE : seconds;
}

/** The price class of each task, which is named by the pence of the task; null where seconds are measured. */
export function classesOfWaits({ pricing, pence }: NoopPrices, taskCount: number): readonly string[] | null {
  return pricing === 'measured' ? null : classNames(pence, taskCount);
}

function priceClasses(pence: readonly number[], taskCount: number): readonly PriceClass[] {
  const counts = new Map<string, number>();
  for (const name of classNames(pence, taskCount)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, tasks]) => ({
    class: name,
    tasks,
    perTaskMicro: Number(name) * MICRO_GBP_PER_PENNY,
  }));
}

function classNames(pence: readonly number[], taskCount: number): readonly string[] {
  return Array.from({ length: taskCount }, (_, ordinal) => String(pence[ordinal % pence.length] ?? 1));
}
