/** A case is a task; how much time, memory and disk it may use. */
import type { TaskLimits } from '../../contracts/instance.ts';
import type { JobPlan } from '../../contracts/job.ts';
import { machinesFor } from '../../domain/machines.ts';
import type { TaskResources } from '../../domain/machines.ts';
import { cpuResources } from '../resources.ts';
import type { PlanLimits, PlannableRequest } from '../tool.ts';
import type { WaveModel } from './model.ts';
import { longestSeconds, numbersOf, taskCountOf } from './parameters.ts';
import { expectedOf } from './price.ts';

const MEBIBYTE = 1024 * 1024;
/** Memory of the session and of the program before its grid. */
const MEMORY_BYTES = 128 * MEBIBYTE;
/** A model keeps two spectra of four bytes a number, and some tens of fields for each point. */
const MEMORY_BYTES_PER_NUMBER = 16;
/** Numbers of the spectra for which there is memory where the request does not tell the size of its cases. */
const DEFAULT_NUMBERS = 50_000_000;
const DISK_BYTES = 10 * 1024 * MEBIBYTE;
/** The plan: the preparation, and a task for each case. */
export function planWaves(request: PlannableRequest, limits: PlanLimits, model: WaveModel): JobPlan {
  const taskCount = taskCountOf(request);
  return {
    unit: 'task',
    taskCount,
    shardSize: 1,
    steps: ['prepare'],
    ...machinesFor(waveResources(request, model), taskCount, limits),
    taskTimeoutSeconds: wallSeconds(request, model),
  };
}

/** The limits of one task or step. */
export function waveLimits(request: PlannableRequest, model: WaveModel): TaskLimits {
  return {
    wallSeconds: wallSeconds(request, model),
    memoryBytes: MEMORY_BYTES + mostNumbers(request) * MEMORY_BYTES_PER_NUMBER,
    diskBytes: DISK_BYTES,
    logBytes: 8 * MEBIBYTE,
  };
}

/** How many numbers the spectra of a case may be: those that the request tells, for which its tasks have memory. */
export function mostNumbers(request: PlannableRequest): number {
  return numbersOf(request) ?? DEFAULT_NUMBERS;
}

/** Needs of one task: the program uses one core. */
export function waveResources(request: PlannableRequest, model: WaveModel): TaskResources {
  return cpuResources(1, waveLimits(request, model));
}

function wallSeconds(request: PlannableRequest, { price }: WaveModel): number {
  return longestSeconds(expectedOf(request, price.figures));
}
