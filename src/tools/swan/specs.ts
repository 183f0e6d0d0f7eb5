/** The specifications that the Python session gets; their shapes are those of science/swan/src/dockyard_swan/spec.py. */
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { fileNameOf, filesBeside } from './inputs.ts';
import { commandFileOf, taskCountOf, SECONDS_PER_NUMBER } from './parameters.ts';
import { mostNumbers } from './plan.ts';

/** A loss costs at most so much work; the state is written and kept after it. */
const PIECE_SECONDS = 300;

/** The specification that all tasks of the job share. */
export function swanSessionSpec(request: SubmitJobRequest): Readonly<Record<string, unknown>> {
  return {
    commandFile: commandFileOf(request),
    sourceName: fileNameOf(request.sceneFile ?? ''),
    files: filesBeside(request),
    taskCount: taskCountOf(request),
    pieceSeconds: PIECE_SECONDS,
    mostNumbers: mostNumbers(request),
    secondsPerNumber: SECONDS_PER_NUMBER,
  };
}

/** The specification of one task or step. */
export function swanTaskSpec(
  request: SubmitJobRequest,
  kind: 'task' | 'prepare' | 'control' | 'merge',
  ordinal: number,
): Readonly<Record<string, unknown>> {
  return kind === 'task' ? { index: ordinal, folder: folderOf(request, ordinal) } : {};
}

/** The folder of a task's outputs; the only task of a job writes into none. */
export function folderOf(request: Pick<SubmitJobRequest, 'taskCount'>, ordinal: number): string {
  const count = taskCountOf(request);
  return count === 1 ? '' : `cases/${String(ordinal).padStart(String(count - 1).length, '0')}/`;
}
