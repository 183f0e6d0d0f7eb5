/** The files that a job reads: the whole package of the scene; and the merge, the small pictures of its frames. */
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { NamedFile, TaskContext, TaskReads } from '../tool.ts';
import { placesOf, stemOf } from './package.ts';
import { framesOf } from './parameters.ts';
import { padded } from './ranges.ts';

/** The files of a package. */
export const MOST_FILES = 10_000;
/** The pictures of a contact sheet: a film of a thousand frames is seen by each fourth of them. */
/** The scene as the preparation has understood it. */
export const SCENE = 'scene.json';
const MOST_PICTURES = 256;
const PACKAGE = 'package/';

type WithFiles = Pick<SubmitJobRequest, 'sceneFile' | 'attachments'>;

/** The stored files that the job reads. */
export function packageInputs(request: WithFiles): readonly NamedFile[] {
  return [...placesOf(request).files.values()].map((storageKey, index) => ({
    storageKey,
    name: `${PACKAGE}${index}`,
  }));
}

/** The names of the package's files inside the job, by their paths in the package. */
export function inputsByPath(request: WithFiles): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...placesOf(request).files.keys()].map((path, index) => [path, `${PACKAGE}${index}`]),
  );
}

/** The files of one task or step. */
export function renderReads(
  request: SubmitJobRequest,
  kind: 'task' | 'prepare' | 'control' | 'merge',
  { verified }: Pick<TaskContext, 'verified'>,
): TaskReads {
  if (kind === 'merge') return { inputs: [], prepared: [], committed: pictures(request, verified) };
  const inputs = packageInputs(request).map(({ name }) => ({ from: name, as: name }));
  // The preparation has decided whether a frame is drawn in chunks.
  return { inputs, prepared: kind === 'task' ? [SCENE] : [] };
}

/** The small pictures of the contact sheet: all, or some that are evenly apart in the film. */
function pictures(request: SubmitJobRequest, verified: readonly number[]): readonly string[] {
  const frames = framesOf(request);
  const stem = stemOf(placesOf(request).scene);
  const drawn = verified
    .flatMap((ordinal) => {
      const frame = frames[ordinal];
      return frame === undefined ? [] : [{ ordinal, frame }];
    })
    .sort((left, right) => left.frame - right.frame);
  const count = Math.min(drawn.length, MOST_PICTURES);
  return Array.from({ length: count }, (_, place) =>
    Math.round((place * (drawn.length - 1)) / Math.max(1, count - 1)),
  )
    .flatMap((place) => drawn[place] ?? [])
    .map(({ ordinal, frame }) => `outputs/${ordinal}/thumbnails/${stem}.${padded(frame)}.jpg`);
}
