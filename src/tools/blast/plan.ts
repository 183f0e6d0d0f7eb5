/** Plan of a search: its tasks and steps, and the time, memory and disk that a task may use. */
import type { TaskLimits } from '../../contracts/instance.ts';
import type { JobPlan } from '../../contracts/job.ts';
import { machinesFor } from '../../domain/machines.ts';
import type { TaskResources } from '../../domain/machines.ts';
import { cpuResources } from '../resources.ts';
import type { PlanLimits, PlannableRequest } from '../tool.ts';
import { searchOf, taskCountOf } from './parameters.ts';
import type { SearchProgram } from './program.ts';

const MEBIBYTE = 1024 * 1024;
/** Preparation and merge may take so long; so may staging and reports beside the search of a task. */
const STEP_SECONDS = 3600;
/** BLAST maps its database into memory, and the hits of a batch of queries stay there until they are written. */
const MEMORY_BYTES = 8192 * MEBIBYTE;
/** The unpacked database, the archive and the reports. */
const DISK_BYTES = 40 * 1024 * MEBIBYTE;

/** The plan: the preparation, the tasks, and the merge where there is more than one task. */
export function planSearch(request: PlannableRequest, program: SearchProgram, limits: PlanLimits): JobPlan {
  const taskCount = taskCountOf(request);
  return {
    unit: 'task',
    taskCount,
    shardSize: 1,
    steps: taskCount === 1 ? ['prepare'] : ['prepare', 'merge'],
    ...machinesFor(searchResources(request, program), taskCount, limits),
    taskTimeoutSeconds: wallSeconds(request, program),
  };
}

/** The limits of one task or one step. */
export function searchLimits(request: PlannableRequest, program: SearchProgram): TaskLimits {
  return {
    wallSeconds: wallSeconds(request, program),
    memoryBytes: MEMORY_BYTES,
    diskBytes: DISK_BYTES,
    logBytes: 8 * MEBIBYTE,
  };
}

/** Computes the needs of one task: each of its threads computes on a vCPU. */
export function searchResources(request: PlannableRequest, program: SearchProgram): TaskResources {
  return cpuResources(searchOf(request, program).threads, searchLimits(request, program));
}

/** The session itself ends a search that takes too long, so this limit finds a session that hangs. */
function wallSeconds(request: PlannableRequest, program: SearchProgram): number {
  return searchOf(request, program).timeoutSeconds + STEP_SECONDS;
}
