/** Plan of a docking job: its tasks and steps, and the time, memory and disk that a ligand may use. */
import type { TaskLimits } from '../../contracts/instance.ts';
import type { JobPlan } from '../../contracts/job.ts';
import { machinesFor } from '../../domain/machines.ts';
import type { TaskResources } from '../../domain/machines.ts';
import { MOST_STATES } from '../../domain/state-prices.ts';
import { cpuResources } from '../resources.ts';
import type { PlanLimits, PlannableRequest } from '../tool.ts';
import { stateExhaustiveness } from './states.ts';
import { boxRequestOf, flexibleCount, ligandsOf, nativeReferenceOf, searchOf } from './parameters.ts';

const MEBIBYTE = 1024 * 1024;
/** The time for preparing the receptor or a ligand, loading the tools and computing the maps, on a busy core. */
const BASE_SECONDS = 600;
/**
 * The limit finds a search that hangs. A ligand with 14 torsions took 374 s at exhaustiveness 8 on one busy core, 47 s
 * for each unit of exhaustiveness; ligands may have 32 torsions.
 */
const SECONDS_PER_EXHAUSTIVENESS = 300;
/**
 * A ligand with a large ring is docked in 20 shapes of the ring, each at a quarter of the exhaustiveness and at least
 * at 1, which is five times the search of other ligands. The plan does not know which ligands have such a ring.
 */
const SHAPES_FACTOR = 5;
const SHAPES_LEAST_EXHAUSTIVENESS = 4;
/**
 * Four side chains with five torsions each make a search of 32 torsions four times as long, one of 14 torsions nine
 * times, most of which the room above has; each of them gets half as much again.
 */
const FLEXIBLE_FACTOR = 0.5;
/** How far a customer's hint of the run time may be off. */
const HINT_FACTOR = 3;
/** The memory for libraries, tables and the ligand. */
const BASE_MEMORY_BYTES = 4096 * MEBIBYTE;
/**
 * For a box of 100 Å an edge, Vina's maps took 6.5 GB while they were computed, then 3.7 GB in the session and as much
 * again in its forked copy, which shares the pages but is counted.
 */
const MEMORY_BYTES_PER_CUBIC_ANGSTROM = 4096;

/** The plan: the preparation, one task per ligand, and the control beside them or, where it is required, before them. */
export function planDocking(request: PlannableRequest, limits: PlanLimits): JobPlan {
  const params = request.simulationParams;
  const taskCount = ligandCount(request);
  const shardSize = params?.dockingExecution?.shardSize ?? 1;
  const hasControl = nativeReferenceOf(params) !== null && params?.dryRun !== true;
  return {
    unit: 'ligand',
    taskCount,
    shardSize,
    steps: hasControl ? ['prepare', 'control'] : ['prepare'],
    ...(hasControl && params?.dockingValidation?.requiredRmsdAngstrom !== undefined
      ? { requiresControl: true as const }
      : {}),
    ...machinesFor(dockingResources(request), Math.ceil(taskCount / shardSize), limits),
    taskTimeoutSeconds: taskSeconds(request),
  };
}

/** One ligand is docked on one vCPU. */
export function dockingResources(request: PlannableRequest): TaskResources {
  return cpuResources(1, dockingLimits(request));
}

/** The limits of one ligand or one step. */
export function dockingLimits(request: PlannableRequest): TaskLimits {
  return {
    wallSeconds: taskSeconds(request),
    memoryBytes: BASE_MEMORY_BYTES + Math.ceil(givenVolume(request) * MEMORY_BYTES_PER_CUBIC_ANGSTROM),
    diskBytes: 1024 * MEBIBYTE,
    logBytes: 8 * MEBIBYTE,
  };
}

/** The number of ligands; an estimate may have none, and then the number is `taskCount` or 1. */
export function ligandCount(request: PlannableRequest): number {
  return ligandsOf(request.simulationParams).length || (request.taskCount ?? 1);
}

/** The volume in Å3 of a box whose size the request has; a box that is derived is small. */
function givenVolume(request: PlannableRequest): number {
  const size = boxRequestOf(request.simulationParams ?? {}).sizeAngstrom ?? [];
  return size.length === 0 ? 0 : size.reduce((volume, edge) => volume * edge, 1);
}

/** Whether a ligand of the request may be docked in several states. */
function hasLikelyStates(request: PlannableRequest): boolean {
  return ligandsOf(request.simulationParams).some(({ preparation }) => preparation.states === 'likely');
}

function taskSeconds(request: PlannableRequest): number {
  const { exhaustiveness } = searchOf(request.simulationParams);
  const each = hasLikelyStates(request) ? stateExhaustiveness(exhaustiveness, MOST_STATES) : exhaustiveness;
  const states = hasLikelyStates(request) ? MOST_STATES : 1;
  const searched = states * SHAPES_FACTOR * Math.max(each, SHAPES_LEAST_EXHAUSTIVENESS);
  const flexible = flexibleCount(request.simulationParams);
  const own = BASE_SECONDS + SECONDS_PER_EXHAUSTIVENESS * searched * (1 + FLEXIBLE_FACTOR * flexible);
  const hint = request.simulationParams?.estimatedRuntimeSeconds ?? 0;
  return Math.max(own, Math.ceil(HINT_FACTOR * hint));
}
