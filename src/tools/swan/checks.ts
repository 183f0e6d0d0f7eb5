/**
 * Checks of a request that the schema cannot make. Faults that only the files show fail the job later, in its preparation, and
 * nothing is charged.
 */
import { AppError } from '../../domain/errors.ts';
import { VARIANT_NAME } from '../../packs/pack.ts';
import type { PlannableRequest } from '../tool.ts';
import { COMMAND_FILE, commandFileOf, INDEX, PHYSICS, physicsOf, taskCountOf } from './parameters.ts';

/** Each case is read, and its cuts are proven, in the one preparation of the job. */
export const MOST_TASKS = 1000;
const LONGEST_NAME = 255;
const PARAMETERS = [COMMAND_FILE, PHYSICS];

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
  checkCommandFile(request);
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
