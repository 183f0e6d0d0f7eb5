/** The command file of a case of SWAN, which tells the cases of a job apart. */
import { AppError } from '../../domain/errors.ts';
import type { PlannableRequest } from '../tool.ts';
import { COMMAND_FILE, INDEX, taskCountOf } from '../waves/parameters.ts';

const LONGEST_NAME = 255;

/** The command file that the request names; null for the only one of the case. */
export function commandFileOf({ parameters }: Pick<PlannableRequest, 'parameters'>): string | null {
  return parameters?.[COMMAND_FILE] ?? null;
}

/**
 * Checks the name of the command file.
 * @throws VALIDATION_ERROR, TASK_COUNT_MISMATCH.
 */
export function checkCommandFile(request: PlannableRequest): void {
  const name = commandFileOf(request);
  const count = taskCountOf(request);
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
