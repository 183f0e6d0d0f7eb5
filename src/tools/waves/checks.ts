/**
 * Checks of a request that the schema cannot make. Faults that only the files show fail the job later, in its preparation, and
 * nothing is charged.
 */
import { AppError } from '../../domain/errors.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { VARIANT_NAME } from '../../packs/pack.ts';
import type { PlannableRequest } from '../tool.ts';
import type { WaveModel } from './model.ts';
import { GRID, GRID_SIZE, PHYSICS, physicsOf, STEP_COUNT, STEPS, taskCountOf } from './parameters.ts';

/** Each case is read, and its cuts are proven, in the one preparation of the job. */
export const MOST_TASKS = 1000;

/**
 * Checks a request.
 * @throws VALIDATION_ERROR, and what the model's own check throws.
 */
export function checkWaves(
  request: PlannableRequest & Pick<SubmitJobRequest, 'sceneFile'>,
  model: WaveModel,
): void {
  const { parameters = {} } = request;
  const known = [PHYSICS, GRID, STEPS, ...model.parameters];
  const strange = Object.keys(parameters).find((name) => !known.includes(name));
  if (strange !== undefined)
    throw new AppError('VALIDATION_ERROR', `parameters.${strange}: ${model.id} has no such parameter.`);
  const physics = physicsOf(request);
  if (physics !== null && !VARIANT_NAME.test(physics)) {
    throw new AppError(
      'VALIDATION_ERROR',
      `parameters.${PHYSICS}: must be the name of a variant that GET /api/v1/simulators lists; ${model.physicsNote}.`,
    );
  }
  checkSize(parameters);
  if (taskCountOf(request) > MOST_TASKS)
    throw new AppError('VALIDATION_ERROR', `taskCount: must be at most ${MOST_TASKS} for ${model.id}.`);
  model.check(request);
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
