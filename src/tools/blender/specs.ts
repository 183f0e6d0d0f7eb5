/** The specifications that the Python session gets; their shapes are those of science/blender/src/dockyard_blender/spec.py. */
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { inputsByPath } from './inputs.ts';
import { placesOf, stemOf } from './package.ts';
import {
  deviceOf,
  formatOf,
  framesOf,
  isDefaultFrame,
  missingAssetsOf,
  ocioOf,
  rangesOf,
  settingsOf,
  threadsOf,
} from './parameters.ts';
import { renderLimits } from './plan.ts';

/** The specification that all tasks of the job share. */
export function renderSessionSpec(request: SubmitJobRequest): Readonly<Record<string, unknown>> {
  const { scene, attached } = placesOf(request);
  return {
    scene,
    files: inputsByPath(request),
    attached,
    format: formatOf(request),
    settings: settingsOf(request),
    threads: threadsOf(request),
    device: deviceOf(request) === 'gpu' ? 'gpu' : 'cpu',
    ocio: ocioOf(request),
    missingAssets: missingAssetsOf(request),
    ranges: rangesOf(request),
    isDefaultFrame: isDefaultFrame(request),
    memoryBytes: renderLimits(request).memoryBytes,
    stem: stemOf(scene),
  };
}

/** The specification of one task or step. */
export function renderTaskSpec(
  request: SubmitJobRequest,
  kind: 'task' | 'prepare' | 'control' | 'merge',
  ordinal: number,
): Readonly<Record<string, unknown>> {
  return kind === 'task' ? { frame: framesOf(request)[ordinal] } : {};
}
