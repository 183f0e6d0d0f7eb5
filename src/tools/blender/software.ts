/** Software by which a request means Blender: the host, its engine, or a version that the pack has. */
import type { SoftwareChoice } from '../tool.ts';
import { blenderPack } from './pack.ts';
import { BLENDER_ID } from './parameters.ts';

const [major, minor] = blenderPack.version.split('.');
const VERSIONS = [`${major}.${minor}`, blenderPack.version];

/** The names of Blender in requests. */
export const SOFTWARE: SoftwareChoice = {
  names: [BLENDER_ID, ...VERSIONS.map((version) => `${BLENDER_ID}-${version}`), 'cycles'],
  takes: (name) => SOFTWARE.names.includes(name),
};
