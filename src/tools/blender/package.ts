/**
 * The package of a scene: each file at its path, as it lay with the customer, so that the scene finds what it names. A file that belongs
 * to another package, or to none, lies beside the scene by its name.
 */
import type { SubmitJobRequest } from '../../domain/requests.ts';

/** The places of a job's files. */
export interface Places {
  /** The path of the scene. */
  readonly scene: string;
  /** The storage keys of all files, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** The paths of files that belong to no package of the scene: each stands for any file of its name. */
  readonly attached: readonly string[];
}

const OF_PROJECT = /^accounts\/[^/]+\/projects\/([^/]+)\/[^/]+\/(.+)$/;
/** The endings of scenes, and signs that names of outputs cannot have. */
const ENDING = /\.blend$/i;
const STRANGE = /[^\p{L}\p{N}_+=@,:~-]+/gu;
const LONGEST_STEM = 40;

/** Places the files of a request; of two files with one path the one counts that the request names first. */
export function placesOf({
  sceneFile = '',
  attachments = [],
}: Pick<SubmitJobRequest, 'sceneFile' | 'attachments'>): Places {
  const own = OF_PROJECT.exec(sceneFile);
  const scene = own?.[2] ?? nameOf(sceneFile);
  const beside = scene.slice(0, scene.length - nameOf(scene).length);
  const files = new Map([[scene, sceneFile]]);
  const attached: string[] = [];
  for (const key of attachments) {
    const found = OF_PROJECT.exec(key);
    const isOfPackage = own !== null && found?.[1] === own[1];
    const path = isOfPackage ? (found?.[2] ?? '') : `${beside}${nameOf(key)}`;
    if (files.has(path)) continue;
    files.set(path, key);
    if (!isOfPackage) attached.push(path);
  }
  return { scene, files, attached };
}

/** The name of the scene in the names of its frames. */
export function stemOf(scene: string): string {
  const stem = nameOf(scene)
    .replace(ENDING, '')
    .replaceAll(STRANGE, '_')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  return stem.slice(0, LONGEST_STEM).toWellFormed().replaceAll('\u{fffd}', '') || 'frame';
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
