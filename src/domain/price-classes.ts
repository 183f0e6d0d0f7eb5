/**
 * The price classes of a job's tasks as they travel in the job's plan. The list is run-length encoded over an index of
 * names, because ten thousand names would not fit into the arguments that start a workflow.
 */
import { invariantBroken } from './invariant.ts';
import type { PriceClass } from './pricing.ts';

/** The class of each task in order: `runs` has pairs of a place in `names` and a number of tasks, one after the other. */
export interface PriceClassRuns {
  readonly names: readonly string[];
  readonly runs: readonly number[];
}

/** Encodes the classes of all tasks, given in the order of the tasks. */
export function encodeClasses(classes: readonly string[]): PriceClassRuns {
  const places = new Map<string, number>();
  const runs: number[] = [];
  let length = 0;
  for (const [ordinal, name] of classes.entries()) {
    const place = places.get(name) ?? places.size;
    places.set(name, place);
    length += 1;
    if (classes[ordinal + 1] === name) continue;
    runs.push(place, length);
    length = 0;
  }
  return { names: [...places.keys()], runs };
}

/**
 * The class of each task in order.
 * @throws a broken invariant when the runs are no encoded list of `taskCount` classes.
 */
export function decodeClasses({ names, runs }: PriceClassRuns, taskCount: number): readonly string[] {
  const classes: string[] = [];
  for (let at = 0; at < runs.length; at += 2) {
    const name = names[runs[at] ?? -1];
    const length = runs[at + 1] ?? 0;
    if (name === undefined || !Number.isInteger(length) || length < 1 || classes.length + length > taskCount)
      throw invariantBroken(`the price classes of a plan have no tasks at ${String(at)}`);
    for (let task = 0; task < length; task += 1) classes.push(name);
  }
  if (classes.length !== taskCount)
    throw invariantBroken(
      `a plan of ${String(taskCount)} tasks has price classes of ${String(classes.length)}`,
    );
  return classes;
}

/**
 * Checks that the classes of the tasks are those that the price counts.
 * @throws a broken invariant when a tool answers other classes for its tasks than its price has.
 */
export function requireClassesOf(prices: readonly PriceClass[], classes: readonly string[] | null): void {
  const fault = faultOfClasses(prices, classes);
  if (fault !== null) throw invariantBroken(fault);
}

/** Why the classes of the tasks are not those that the price counts; null when they are. */
export function faultOfClasses(
  prices: readonly PriceClass[],
  classes: readonly string[] | null,
): string | null {
  if (classes === null)
    return prices.length > 1 ? 'a price of several classes needs a class for each task' : null;
  const counts = new Map<string, number>();
  for (const name of classes) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isSame =
    counts.size === prices.length && prices.every((price) => counts.get(price.class) === price.tasks);
  return isSame ? null : 'the price classes of the tasks are not those of the price';
}
