/** The specifications that the Python sessions get; their shapes are those of `spec.py` of dockyard_waves and of the package beside it of each model in science/. */
import type { WorkKind } from '../../contracts/job.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { fileNameOf, filesBeside } from './inputs.ts';
import type { WaveModel } from './model.ts';
import { taskCountOf } from './parameters.ts';
import { mostNumbers } from './plan.ts';
import { secondsPerNumber } from './price.ts';

/** A loss costs at most so much work; the state is written and kept after it. */
const PIECE_SECONDS = 300;

/** The specification that all tasks of the job share. */
export function waveSessionSpec(
  request: SubmitJobRequest,
  model: WaveModel,
): Readonly<Record<string, unknown>> {
  return {
    sourceName: fileNameOf(request.sceneFile ?? ''),
    files: filesBeside(request),
    taskCount: taskCountOf(request),
    pieceSeconds: PIECE_SECONDS,
    mostNumbers: mostNumbers(request),
    secondsPerNumber: secondsPerNumber(model.price.figures),
    ...model.spec(request),
  };
}

/** The specification of one task or step. */
export function waveTaskSpec(
  request: SubmitJobRequest,
  kind: WorkKind,
  ordinal: number,
): Readonly<Record<string, unknown>> {
  return kind === 'task' ? { index: ordinal, folder: folderOf(request, ordinal) } : {};
}

/** The folder of a task's outputs; the only task of a job writes into none. */
export function folderOf(request: Pick<SubmitJobRequest, 'taskCount'>, ordinal: number): string {
  const count = taskCountOf(request);
  return count === 1 ? '' : `cases/${String(ordinal).padStart(String(count - 1).length, '0')}/`;
}
