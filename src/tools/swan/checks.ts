/**
 * Checks of a request that the schema cannot make. Faults that only the files show fail the job later, in its preparation, and
 * nothing is charged.
 */
import { AppError } from '../../domain/errors.ts';
import { VARIANT_NAME } from '../../packs/pack.ts';
import type { PlannableRequest } from '../tool.ts';
import {
  COMMAND_FILE,
  commandFileOf,
  GRID,
  GRID_SIZE,
  INDEX,
  PHYSICS,
  physicsOf,
  STEP_COUNT,
  STEPS,
  taskCountOf,
} from './parameters.ts';

/** Each case is read, and its cuts are proven, in the one preparation of the job. */
export const MOST_TASKS = 1000;
const LONGEST_NAME = 255;
const PARAMETERS = [COMMAND_FILE, PHYSICS, GRID, STEPS];

/**
 * Checks a request.
 * @throws VALIDATION_ERROR, TASK_COUNT_MISMATCH.
 */
export function checkSwan(request: PlannableRequest): void {
  const { parameters = {} } = request;
  const strange = Object.keys(parameters).find((name) => !PARAMETERS.includes(name));
  if (strange !== undefined)
    throw new AppError('VALIDATION_ERROR', `parameters.${strange}: swan has no such parameter.`);
  const physics = physicsOf(request);
  if (physics !== null && !VARIANT_NAME.test(physics)) {
    throw new AppError(
      'VALIDATION_ERROR',
      `parameters.${PHYSICS}: must be the name of a variant that GET /api/v1/simulators lists; the command file chooses SWAN's own physics.`,
    );
  }
  checkSize(parameters);
  checkCommandFile(request);
}

function checkSize({ [GRID]: grid, [STEPS]: steps }: Readonly<Record<string, string>>): void {
  if (grid !== undefined && !GRID_SIZE.test(grid)) {
    throw new AppError(
      'VALIDATION_ERROR',
      `parameters.${GRID}: must be points, directions and frequencies as in 200x100x36x32, or 12000x36x32 for an unstructured grid.`,
    );
  }
  if (steps !== undefined && !STEP_COUNT.test(steps)) {
    throw new AppError(
      'VALIDATION_ERROR',
      `parameters.${STEPS}: must be the number of time steps, or of iterations of a stationary case.`,
    );
  }
}

function checkCommandFile(request: PlannableRequest): void {
  const name = commandFileOf(request);
  const count = taskCountOf(request);
  if (count > MOST_TASKS)
    throw new AppError('VALIDATION_ERROR', `taskCount: must be at most ${MOST_TASKS} for swan.`);
  if (name !== null && (name.length > LONGEST_NAME || isOutside(name))) {
    throw new AppError(
      'VALIDATION_ERROR',
      `parameters.${COMMAND_FILE}: must be the name of a file inside the case, without a / at its beginning and without '..'.`,
    );
  }
  if (count === 1 || name?.includes(INDEX) === true) return;
  throw new AppError(
    'TASK_COUNT_MISMATCH',
    `taskCount is ${count}, and parameters.${COMMAND_FILE} does not tell the cases apart. Write ${INDEX} where their names have the number from 0 on, as in run${INDEX}/INPUT.`,
  );
}

function isOutside(name: string): boolean {
  return name === '' || /^[/\\]|^[A-Za-z]:/.test(name) || name.split(/[/\\]/).includes('..');
}
