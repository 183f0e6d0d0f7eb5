/**
 * How the tasks of a job are cut: a part is a range that one child workflow runs, a shard is what one compute activity
 * carries.
 */

/** Cuts ordinals into shards of at most `size`, keeping their order. */
export function shardsOf(ordinals: readonly number[], size: number): number[][] {
  const shards: number[][] = [];
  for (let from = 0; from < ordinals.length; from += size) shards.push(ordinals.slice(from, from + size));
  return shards;
}

/** The range of ordinals of one part, `to` exclusive. */
export function partRange(part: number, partTasks: number, taskCount: number): { from: number; to: number } {
  const from = part * partTasks;
  return { from, to: Math.min(from + partTasks, taskCount) };
}

/** The number of parts of a job. */
export function partCount(taskCount: number, partTasks: number): number {
  return Math.ceil(taskCount / partTasks);
}
