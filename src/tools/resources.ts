/** Needs of a task, computed from the limits within which it is run. */
import type { TaskLimits } from '../contracts/instance.ts';
import type { TaskResources } from '../domain/machines.ts';

const MEBIBYTE = 1024 * 1024;

/** The resources of a task that computes on `vcpus` vCPUs, uses no GPU, and stays within `limits`. */
export function cpuResources(
  vcpus: number,
  limits: Pick<TaskLimits, 'memoryBytes' | 'diskBytes'>,
): TaskResources {
  return {
    vcpus,
    memoryMib: Math.ceil(limits.memoryBytes / MEBIBYTE),
    diskMib: Math.ceil(limits.diskBytes / MEBIBYTE),
    gpu: 'none',
  };
}
