/** One structure is one task, whatever its size; how much time, memory and disk the task may use. */
import type { TaskLimits } from '../../contracts/instance.ts';
import type { JobPlan } from '../../contracts/job.ts';
import { machinesFor, ONE_SLOT } from '../../domain/machines.ts';
import { cpuResources } from '../resources.ts';

const MEBIBYTE = 1024 * 1024;
/**
 * The limit finds a program that hangs. The time grows with the square of the number of atoms: 4,036 atoms took 3 s of
 * one busy core, 32,288 took 117 s; a PDB file holds at most 99,999, about 20 minutes, and an instance may be slower.
 */
const WALL_SECONDS = 7200;
/**
 * 32,288 atoms took 116 MB. Memory also grows with the space that the atoms span, up to 1.2 GB for the largest that the
 * session lets pass.
 */
const MEMORY_BYTES = 3072 * MEBIBYTE;

/** The limits of every search. */
export const POCKET_LIMITS: TaskLimits = {
  wallSeconds: WALL_SECONDS,
  memoryBytes: MEMORY_BYTES,
  diskBytes: 512 * MEBIBYTE,
  logBytes: 8 * MEBIBYTE,
};

/** Needs of every search: the program uses one core. */
export const POCKET_RESOURCES = cpuResources(1, POCKET_LIMITS);

/** The plan of every search. */
export const POCKET_PLAN: JobPlan = {
  unit: 'task',
  taskCount: 1,
  shardSize: 1,
  steps: [],
  ...machinesFor(POCKET_RESOURCES, 1, ONE_SLOT),
  taskTimeoutSeconds: WALL_SECONDS,
};
