/**
 * Checks of a request that the schema cannot make. What only the scene shows fails the job in its preparation, and nothing is charged.
 */
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { PlannableRequest } from '../tool.ts';
import { placesOf } from './package.ts';
import { checkParameters, ocioOf, rangesOf, settingsOf, wrong } from './parameters.ts';
import { checkVersions } from './version.ts';

type Checked = PlannableRequest & Pick<SubmitJobRequest, 'sceneFile' | 'attachments' | 'outputFormat'>;

const SCENE = /\.blend$/i;

/** Checks a request. @throws VALIDATION_ERROR. */
export function checkRender(request: Checked, estimate: boolean): void {
  checkParameters(request);
  checkVersions(request);
  rangesOf(request);
  const { passes } = settingsOf(request);
  if (passes && !estimate && request.outputFormat !== 'EXR')
    throw wrong('parameters.passes: needs outputFormat EXR; the other formats hold one picture.');
  if (estimate || request.sceneFile === undefined) return;
  const { scene } = placesOf(request);
  if (!SCENE.test(scene)) throw wrong(`sceneFile: ${scene} is no .blend file.`);
  const ocio = ocioOf(request);
  if (ocio !== null && ocio.split('/').some((part) => part === '' || part === '.' || part === '..'))
    throw wrong('parameters.ocio: must be the path of a file in the package of the scene.');
}
