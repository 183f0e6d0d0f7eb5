/** Division of a job's tasks: a part is a range that one child workflow runs, a shard is what one compute activity carries. */

/** Cuts ordinals into shards of at most `size`, keeping their order. */
export function shardsOf(ordinals: readonly number[], size: number): number[][] {
  const shards: number[][] = [];
  for (let from = 0; from < ordinals.length; from += size) shards.push(ordinals.slice(from, from + size));
  return shards;
}

/** Figures by which a job is cut into parts. */
export interface PartsPlan {
  readonly taskCount: number;
  readonly shardSize: number;
  readonly instances: number;
  readonly slotsPerInstance: number;
  /** The most tasks of a part; absent: as many as a part may carry. */
  readonly partTasks?: number;
}

/** Tasks that one part may carry. */
export const PART_TASKS = 250;
/** The least tasks of a part of an ordered job, so that there are not very many parts. */
const ORDERED_PART_TASKS = 20;
/** Parts of an instance that are open at once, so that the last tasks of one overlap with the first of the next. */
export const LANES = 2;

/**
 * The first ordinals of the parts of a job, ascending. With one instance no part waits for another instance, so parts are as large as
 * they may be. The parts of several share what is left equally among all lanes,
 * part by part (guided self-scheduling, Polychronopoulos and Kuck 1987): so every instance has work from the beginning, and
 * the last parts are small, which lets instances end at nearly the same time. No part is so small that a lane of an instance
 * would idle within it.
 */
export function partStarts(plan: PartsPlan): number[] {
  const { taskCount, shardSize, instances, slotsPerInstance, partTasks = PART_TASKS } = plan;
  const isFleet = instances > 1;
  const least = Math.min(partTasks, shardSize * slotsPerInstance);
  const starts: number[] = [];
  for (let from = 0; from < taskCount;) {
    starts.push(from);
    const share = isFleet ? Math.ceil((taskCount - from) / (instances * LANES)) : partTasks;
    const shards = Math.ceil(Math.max(share, least) / shardSize);
    from += Math.min(partTasks, isFleet ? shards * shardSize : share);
  }
  return starts;
}

/** How large parts are whose tasks are to be decided nearly in their order: no lane is far ahead of another one. */
export function tasksOfOrderedPart({
  shardSize,
  slotsPerInstance,
}: Pick<PartsPlan, 'shardSize' | 'slotsPerInstance'>): number {
  const shards = Math.max(Math.ceil(ORDERED_PART_TASKS / shardSize), slotsPerInstance);
  return Math.min(PART_TASKS, shards * shardSize);
}

/** The range of ordinals of one part, `to` exclusive. */
export function partRange(
  part: number,
  starts: readonly number[],
  taskCount: number,
): { from: number; to: number } {
  const from = starts[part];
  if (from === undefined) throw new RangeError(`no part ${String(part)}`);
  return { from, to: starts[part + 1] ?? taskCount };
}

/** How many instances so many parts are worth: as many as have a part for each of their lanes. */
export function usefulInstances({ instances }: Pick<PartsPlan, 'instances'>, parts: number): number {
  return Math.min(instances, Math.ceil(parts / LANES));
}

/** Situation of an instance that has nothing left to do. */
export interface IdleInstance {
  /** Whether a step runs on the instance. */
  readonly hasStep: boolean;
  /** Whether no other instance has tasks to run. */
  readonly isLast: boolean;
  /** Whether another instance of the job is open. */
  readonly isOtherOpen: boolean;
}

/**
 * Whether an idle instance stays. Of a job one always does, so that the merge, and what is set back at the end, find an
 * instance with its capacity.
 */
export function staysIdle({ hasStep, isLast, isOtherOpen }: IdleInstance): boolean {
  return hasStep || (isLast && !isOtherOpen);
}
