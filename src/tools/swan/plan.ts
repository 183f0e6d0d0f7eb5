/** A case is a task; how much time, memory and disk it may use. */
import type { TaskLimits } from '../../contracts/instance.ts';
import type { JobPlan } from '../../contracts/job.ts';
import { machinesFor } from '../../domain/machines.ts';
import type { TaskResources } from '../../domain/machines.ts';
import { cpuResources } from '../resources.ts';
import type { PlanLimits, PlannableRequest } from '../tool.ts';
import { expectedSeconds, taskCountOf } from './parameters.ts';

const MEBIBYTE = 1024 * 1024;
/**
 * SWAN keeps two spectra and some tens of fields for each point: 50 x 4 points of 36 x 32 numbers took 6 MB, so this is enough
 * for some five million numbers and twenty tasks beside each other on a large instance.
 */
const MEMORY_BYTES = 1536 * MEBIBYTE;
const DISK_BYTES = 10 * 1024 * MEBIBYTE;
/** A task that says nothing of its time may take so long. */
const LEAST_SECONDS = 6 * 3600;
/** An estimate that is wrong by less is no reason to end a run. */
const SPARE = 3;

/** The plan: the preparation, and a task for each case. */
export function planSwan(request: PlannableRequest, limits: PlanLimits): JobPlan {
  const taskCount = taskCountOf(request);
  return {
    unit: 'task',
    taskCount,
    shardSize: 1,
    steps: ['prepare'],
    ...machinesFor(swanResources(request), taskCount, limits),
    taskTimeoutSeconds: wallSeconds(request),
  };
}

/** The limits of one task or step. */
export function swanLimits(request: PlannableRequest): TaskLimits {
  return {
    wallSeconds: wallSeconds(request),
    memoryBytes: MEMORY_BYTES,
    diskBytes: DISK_BYTES,
    logBytes: 8 * MEBIBYTE,
  };
}

/** Needs of one task: the program uses one core. */
export function swanResources(request: PlannableRequest): TaskResources {
  return cpuResources(1, swanLimits(request));
}

function wallSeconds(request: PlannableRequest): number {
  return Math.max(LEAST_SECONDS, Math.ceil((expectedSeconds(request) ?? 0) * SPARE));
}
