/** A frame is a task; how much time, memory and disk it may use, and on how many vCPUs it is drawn. */
import type { TaskLimits } from '../../contracts/instance.ts';
import type { JobPlan } from '../../contracts/job.ts';
import { machinesFor } from '../../domain/machines.ts';
import type { TaskResources } from '../../domain/machines.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { cpuResources } from '../resources.ts';
import type { PlanLimits, PlannableRequest } from '../tool.ts';
import { framesIn } from './ranges.ts';
import { deviceOf, memoryGibOf, rangesOf, threadsOf } from './parameters.ts';

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;
const MIB_PER_GIB = 1024;
const SECONDS_PER_MINUTE = 60;
/** The package, and a frame of 16,384 pixels a side in 32-bit floats with some passes. */
const DISK_BYTES = 24 * 1024 * MEBIBYTE;
/** A frame of which nothing is said may take so long. */
const LEAST_SECONDS = 4 * 3600;
/** An expectation that is wrong by less is no reason to end a frame. */
const SPARE = 5;

/** The plan: the preparation, a task for each frame, and the sheet of all of them. */
export function planRender(request: PlannableRequest, limits: PlanLimits): JobPlan {
  const taskCount = framesIn(rangesOf(request)).length;
  const resources = renderResources(request);
  const vcpus = threadsOf(request) ?? limits.vcpusPerInstance;
  return {
    unit: 'frame',
    taskCount,
    shardSize: 1,
    steps: ['prepare', 'merge'],
    // Cycles draws one frame on all vCPUs as quickly as several beside each other, with the memory of one.
    ...machinesFor({ ...resources, vcpus }, taskCount, limits),
    taskTimeoutSeconds: wallSeconds(request),
  };
}

/** The limits of one task or step. */
export function renderLimits(request: Pick<PlannableRequest, 'metadata' | 'parameters'>): TaskLimits {
  return {
    wallSeconds: wallSeconds(request),
    memoryBytes: memoryGibOf(request) * GIBIBYTE,
    diskBytes: DISK_BYTES,
    logBytes: 8 * MEBIBYTE,
  };
}

/** The least needs of one task; a scene takes about as much of a GPU's memory as of the machine's. */
export function renderResources(request: PlannableRequest): TaskResources {
  const resources = cpuResources(threadsOf(request) ?? 1, renderLimits(request));
  const device = deviceOf(request);
  if (device === 'cpu') return resources;
  const gpu = device === 'gpu' ? 'required' : 'optional';
  return { ...resources, gpu, gpuMemoryMib: memoryGibOf(request) * MIB_PER_GIB };
}

/** The request with its device decided. */
export function withDevice(request: SubmitJobRequest, usesGpu: boolean): SubmitJobRequest {
  return { ...request, parameters: { ...request.parameters, device: usesGpu ? 'gpu' : 'cpu' } };
}

function wallSeconds({ metadata }: Pick<PlannableRequest, 'metadata'>): number {
  const { renderTimeMinutes: minutes } = metadata ?? {};
  const expected = typeof minutes === 'number' ? minutes * SECONDS_PER_MINUTE : 0;
  return Math.max(LEAST_SECONDS, Math.ceil(expected * SPARE));
}
