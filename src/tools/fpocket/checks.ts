/**
 * Checks of a search for pockets that the schema cannot make. A fault that only the file shows (chains, models, a file
 * that is no structure) fails the job later, and nothing is charged.
 */
import { AppError } from '../../domain/errors.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { checkReceptor } from '../receptor.ts';
import type { PlannableRequest } from '../tool.ts';
import { FPOCKET_ID } from './parameters.ts';

/**
 * Checks a request; an estimate may leave the structure out.
 * @throws VALIDATION_ERROR, INPUT_MISSING, INPUT_CONFLICT, TASK_COUNT_MISMATCH.
 */
export function checkPockets(
  request: PlannableRequest & Pick<SubmitJobRequest, 'sceneFile'>,
  estimate: boolean,
): void {
  checkReceptor(request, estimate, FPOCKET_ID);
  const { taskCount } = request;
  if (taskCount === undefined || taskCount === 1) return;
  throw new AppError(
    'TASK_COUNT_MISMATCH',
    `taskCount is ${taskCount}, but one structure is one task. Leave taskCount out, and send a job for each structure.`,
  );
}
