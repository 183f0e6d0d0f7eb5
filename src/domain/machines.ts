/**
 * The machines of a job: the needs of one task and the resources of an instance give the number of tasks that run at once on an
 * instance, and the number of instances. Every tool plans by this one rule.
 */

/** Needs of one task; memory and disk are the most that the task may use. */
export interface TaskResources {
  readonly vcpus: number;
  readonly memoryMib: number;
  readonly diskMib: number;
  /** Optional: decided by what is offered, before the job is planned (`decideGpu` of the tool). */
  readonly gpu: 'none' | 'optional' | 'required';
  /** GPUs of one task; absent: one where a GPU is required. */
  readonly gpus?: number;
  /** Memory of each GPU of the task; absent: any will do. */
  readonly gpuMemoryMib?: number;
  /** The one kind of GPU that will do, as the price book names it; absent: any. */
  readonly gpuKind?: string;
  /** Least resources of an instance, where that is more than one task needs. */
  readonly instance?: { readonly vcpus: number; readonly gpus: number };
}

/** The bounds of an installation within which a job is planned. */
export interface PlanLimits {
  readonly maxInstances: number;
  /** The most tasks that run at once on an instance. */
  readonly slotsPerInstance: number;
  readonly vcpusPerInstance: number;
  /** Memory and disk of an instance; absent or 0: not counted. */
  readonly memoryMibPerInstance?: number;
  readonly diskMibPerInstance?: number;
  /** GPUs of an instance; absent: not counted. */
  readonly gpusPerInstance?: number;
  /** Memory of each of its GPUs; absent or 0: not counted. */
  readonly gpuMemoryMib?: number;
  /** The class of the instances; absent: the only one there is. */
  readonly instanceClass?: string;
  /** The type of machine of the price book by which an instance of the class is priced; absent where there are no classes. */
  readonly instanceType?: string;
}

/** The machines of a job, as its plan has them. */
export interface Machines {
  readonly instances: number;
  readonly slotsPerInstance: number;
  readonly vcpusPerInstance: number;
  /** Absent: none. */
  readonly gpusPerInstance?: number;
  readonly instanceClass?: string;
  readonly instanceType?: string;
}

/** The resources that an instance has a bounded number of. */
export type CountedResource = 'vcpus' | 'memoryMib' | 'diskMib' | 'gpus' | 'gpuMemoryMib';

/** A resource of which one task needs more than an instance has. */
export interface MissingRoom {
  readonly resource: CountedResource;
  readonly needed: number;
  readonly available: number;
}

/** One task of a small job beside the tasks of other jobs: an instance that counts as one vCPU, with one slot. */
export const ONE_SLOT: PlanLimits = { maxInstances: 1, slotsPerInstance: 1, vcpusPerInstance: 1 };

/** The machines of a job with `shards` shards; every instance has room for at least one task. */
export function machinesFor(resources: TaskResources, shards: number, limits: PlanLimits): Machines {
  const slots = Math.max(1, Math.min(limits.slotsPerInstance, ...tasksAtOnce(resources, limits)));
  return {
    instances: Math.max(1, Math.min(limits.maxInstances, Math.ceil(shards / slots))),
    slotsPerInstance: slots,
    vcpusPerInstance: limits.vcpusPerInstance,
    ...(gpusOf(resources) > 0 && limits.gpusPerInstance ? { gpusPerInstance: limits.gpusPerInstance } : {}),
    ...(limits.instanceClass === undefined ? {} : { instanceClass: limits.instanceClass }),
    ...(limits.instanceType === undefined ? {} : { instanceType: limits.instanceType }),
  };
}

/** The first resource of which a task needs more than an instance has; null when a task fits. */
export function missingRoom(resources: TaskResources, limits: PlanLimits): MissingRoom | null {
  const had = roomOf(limits);
  const needed = neededOf(resources);
  for (const resource of ['vcpus', 'memoryMib', 'diskMib', 'gpus', 'gpuMemoryMib'] as const)
    if (needed[resource] > had[resource])
      return { resource, needed: needed[resource], available: had[resource] };
  return null;
}

/** The GPUs of one task. */
export function gpusOf({ gpu, gpus = gpu === 'required' ? 1 : 0 }: TaskResources): number {
  return gpus;
}

/** Computes the least resources of an instance for a task. */
export function neededOf(resources: TaskResources): Record<CountedResource, number> {
  const { memoryMib, diskMib, instance } = resources;
  const vcpus = Math.max(resources.vcpus, instance?.vcpus ?? 0);
  const gpus = Math.max(gpusOf(resources), instance?.gpus ?? 0);
  return { vcpus, memoryMib, diskMib, gpus, gpuMemoryMib: gpus > 0 ? (resources.gpuMemoryMib ?? 0) : 0 };
}

/** How many tasks fit beside each other, by each resource. */
function tasksAtOnce(resources: TaskResources, limits: PlanLimits): readonly number[] {
  const { vcpus, memoryMib, diskMib, gpus } = roomOf(limits);
  const gpusOfTask = gpusOf(resources);
  return [
    ...(gpusOfTask > 0 ? [Math.floor(gpus / gpusOfTask)] : []),
    // The slots are counted for tasks of one vCPU. An operator may give an instance more slots than vCPUs, because such
    // tasks also wait for files; tasks that compute on several vCPUs get no more vCPUs than there are.
    resources.vcpus === 1 ? limits.slotsPerInstance : Math.floor(vcpus / resources.vcpus),
    Math.floor(memoryMib / resources.memoryMib),
    Math.floor(diskMib / resources.diskMib),
  ];
}

function roomOf(limits: PlanLimits): Record<CountedResource, number> {
  return {
    vcpus: limits.vcpusPerInstance,
    memoryMib: limits.memoryMibPerInstance || Infinity,
    diskMib: limits.diskMibPerInstance || Infinity,
    gpus: limits.gpusPerInstance ?? Infinity,
    gpuMemoryMib: limits.gpuMemoryMib || Infinity,
  };
}
