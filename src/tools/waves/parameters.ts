/** Parameters of a run of a wave model in a request, with the defaults applied. */
import type { SimulationParams } from '../../domain/requests.ts';
import type { PlannableRequest } from '../tool.ts';

/** Every simulation parameter that a run reads. */
export const WAVE_PARAMETERS = [
  'estimatedRuntimeSeconds',
] as const satisfies readonly (keyof SimulationParams)[];

/** The entry of `parameters` that names the command file of a model that has one. */
export const COMMAND_FILE = 'commandFile';
/** The entry of `parameters` that names a build of the site, by which sites tell physics of their own apart. */
export const PHYSICS = 'physics';
/** The entry of `parameters` with the size of a case: points, directions and frequencies, as in 200x100x36x32. */
export const GRID = 'grid';
/** The entry of `parameters` with the time steps of a case, or the iterations of a stationary one. */
export const STEPS = 'steps';
/** The name of the build that is none of the variants. */
export const DEFAULT_PHYSICS = 'default';
/** The place of a task's number, counted from 0, in names. */
export const INDEX = '{index}';

const SECONDS_PER_MINUTE = 60;

/** How many cases the job runs. */
export function taskCountOf({ taskCount }: Pick<PlannableRequest, 'taskCount'>): number {
  return taskCount ?? 1;
}

/** The variant of the model that the request names; null for the site's only or first build. */
export function physicsOf({ parameters }: Pick<PlannableRequest, 'parameters'>): string | null {
  const name = parameters?.[PHYSICS] ?? DEFAULT_PHYSICS;
  return name === DEFAULT_PHYSICS ? null : name;
}

/** Sizes of grids: an unstructured one tells its points as one number. */
export const GRID_SIZE = /^[1-9]\d{0,8}(?:x[1-9]\d{0,8}){2,3}$/;
/** Counts of steps. */
export const STEP_COUNT = /^[1-9]\d{0,8}$/;

/** How many numbers the spectra of all points are, as the request says; null where it does not say. */
export function numbersOf({ parameters }: Pick<PlannableRequest, 'parameters'>): number | null {
  const size = parameters?.[GRID];
  if (size === undefined) return null;
  return size.split('x').reduce((product, each) => product * Number(each), 1);
}

/** How many steps the request says that a case has; null where it does not say. */
export function stepsOf({ parameters }: Pick<PlannableRequest, 'parameters'>): number | null {
  const steps = parameters?.[STEPS];
  return steps === undefined ? null : Number(steps);
}

/** The seconds that the request expects a task to take; null where it does not say. */
export function expectedSeconds({
  simulationParams,
  metadata,
}: Pick<PlannableRequest, 'simulationParams' | 'metadata'>): number | null {
  const { estimatedRuntimeSeconds: seconds } = simulationParams ?? {};
  if (seconds !== undefined) return seconds;
  const { taskRuntimeMinutes: minutes } = metadata ?? {};
  return typeof minutes === 'number' && minutes > 0 ? minutes * SECONDS_PER_MINUTE : null;
}

/** A task that says nothing of its time may take so long. */
const LEAST_LIMIT_SECONDS = 6 * 3600;
/** A run that cannot be taken up has to end before its instance does. */
const MOST_LIMIT_SECONDS = 6 * 24 * 3600;
/** An estimate that is wrong by less is no reason to end a run. */
const SPARE = 3;

/** The longest time of a run that is not cut, or of a leg of one that is, by the seconds that a task is expected to take. */
export function longestSeconds(expected: number | null): number {
  return Math.min(MOST_LIMIT_SECONDS, Math.max(LEAST_LIMIT_SECONDS, Math.ceil((expected ?? 0) * SPARE)));
}
