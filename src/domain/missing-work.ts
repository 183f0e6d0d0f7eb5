/**
 * The price of the next execution of a job, which is for what is missing alone. Each missing task costs what it costs in the
 * price of the whole job; costs of the whole job are taken by the share of the missing tasks, rounded up, because the price
 * is what is held. The start fee is due once a job.
 */
import { oneClass } from './pricing.ts';
import type { PriceClass, TaskPricing } from './pricing.ts';

/** Tasks of one price class that are neither verified nor paid for; a class of null is the only class of the job. */
export interface MissingTasks {
  readonly priceClass: string | null;
  readonly tasks: number;
}

/** The price of a number of tasks. */
export interface PricedTasks {
  readonly pricing: TaskPricing;
  readonly taskCount: number;
}

/**
 * The price of the missing tasks out of the price of the whole job; null when the whole job is priced in other classes than
 * its tasks are. `startFeeDue` is false when an earlier execution has charged the start fee. Where seconds are measured, what
 * verified tasks took on average counts (`meanMs`) once it is more than was expected, so that the price is what finishing costs.
 */
export function missingPricing(
  whole: PricedTasks,
  missing: readonly MissingTasks[],
  startFeeDue: boolean,
  meanMs = 0,
): PricedTasks | null {
  const { pricing } = whole;
  const taskCount = missing.reduce((sum, { tasks }) => sum + tasks, 0);
  if (taskCount > whole.taskCount) return null;
  if (taskCount === 0) return nothingToPay(pricing);
  const share = (cost: number): number => shareOf(cost, taskCount, whole.taskCount);
  const common = {
    startFeeMicro: startFeeDue ? pricing.startFeeMicro : 0,
    softwareMicro: share(pricing.softwareMicro),
    storageMicro: share(pricing.storageMicro),
    egressMicro: share(pricing.egressMicro),
  };
  if (pricing.model === 'measured') {
    const seen = Math.ceil((meanMs * taskCount) / 1000);
    const estimatedSeconds = Math.max(share(pricing.estimatedSeconds), seen);
    return { taskCount, pricing: { ...pricing, ...common, estimatedSeconds } };
  }
  const classes = missingClasses(pricing.classes, missing, taskCount);
  return classes === null ? null : { taskCount, pricing: { ...pricing, ...common, classes } };
}

function missingClasses(
  classes: readonly PriceClass[],
  missing: readonly MissingTasks[],
  taskCount: number,
): readonly PriceClass[] | null {
  const [only, ...others] = classes;
  if (only !== undefined && others.length === 0) return [{ ...only, tasks: taskCount }];
  if (missing.some(({ priceClass }) => classes.every((one) => !isOf(one, priceClass)))) return null;
  return classes.flatMap((one) => {
    const found = missing.filter(({ priceClass }) => isOf(one, priceClass));
    const tasks = found.reduce((sum, each) => sum + each.tasks, 0);
    return tasks === 0 ? [] : [{ ...one, tasks }];
  });
}

/** Whether tasks of a class were planned in this one: a task whose outputs were lost may have turned out to be less work before. */
function isOf(one: PriceClass, priceClass: string | null): boolean {
  return [one, ...(one.less ?? [])].some((each) => each.class === priceClass);
}

/** Prices missing work that costs nothing: tasks that are paid for, or steps. */
function nothingToPay({ currency }: TaskPricing): PricedTasks {
  const costs = { startFeeMicro: 0, softwareMicro: 0, storageMicro: 0, egressMicro: 0, licenceNames: [] };
  return { taskCount: 1, pricing: { model: 'fixed', currency, ...costs, classes: oneClass(1, 0) } };
}

/** A share of a cost, rounded up, exact also where the product is too large for a number. */
function shareOf(cost: number, part: number, whole: number): number {
  return Number((BigInt(cost) * BigInt(part) + BigInt(whole) - 1n) / BigInt(whole));
}
