/**
 * The place of an output below the folder that the customer named. Names of outputs come from a service and its tools;
 * whatever a name is, nothing is written outside the folder, over a device or through a link.
 */
import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

import { CommandProblem, EXIT } from '../problems.ts';

const LONGEST_SEGMENT_BYTES = 200;
/** Names that are devices on Windows, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Facts of an output that its place depends on. */
export interface Placed {
  readonly name: string;
  readonly taskIndex: number | null;
  readonly artifactId: string;
}

/**
 * Gives each output of a job its place; the same outputs in the same order get the same places. The outputs of a job of one
 * task lie where their names say, because scripts among them, such as view.pml, load the others by name.
 */
export function createPlaces(taskCount: number): (output: Placed) => string {
  const taken = new Map<string, string>();
  return ({ name, taskIndex, artifactId }) => {
    const segments = safeSegments(name);
    // A name with a folder is different for each task, because the tool chose the folder; a bare name is the same in every task.
    const isBare = segments.length === 1 && taskIndex !== null && taskCount > 1;
    const place = (isBare ? ['tasks', String(taskIndex), ...segments] : segments).join('/');
    // Some file systems do not tell case apart.
    const known = place.toLowerCase();
    const owner = taken.get(known);
    if (owner === undefined) taken.set(known, artifactId);
    if (owner === undefined || owner === artifactId) return place;
    return `${place}.${createHash('sha256').update(artifactId).digest('hex').slice(0, 8)}`;
  };
}

/** The parts of a name that may become folders and a file. */
export function safeSegments(name: string): string[] {
  const segments = name
    .normalize('NFC')
    .split(/[/\\]+/)
    .map(safeSegment)
    .filter((segment) => segment !== '');
  return segments.length === 0 ? ['output'] : segments;
}

function safeSegment(segment: string): string {
  const visible = segment.replaceAll(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '_').replace(/[. ]+$/, '');
  if (visible === '' || /^\.+$/.test(visible)) return '';
  const named = DEVICE.test(visible) ? `_${visible}` : visible;
  return cutToBytes(named, LONGEST_SEGMENT_BYTES);
}

function cutToBytes(text: string, most: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > most) cut = cut.slice(0, -1);
  return cut;
}

/**
 * Makes the folders of a place and says where the file goes.
 * @throws CommandProblem when a link below the folder leads out of it.
 */
export async function makeRoom(folder: string, place: string): Promise<string> {
  const folders = place.split('/').slice(0, -1);
  const root = await realpath(folder);
  let reached = folder;
  for (const name of folders) {
    reached = join(reached, name);
    await mkdir(reached, { recursive: true });
    // Each folder is checked before the next is made, so that nothing is made below a link that leads out.
    const way = relative(root, await realpath(reached));
    if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) continue;
    const message = `${reached} leads out of ${folder}; nothing is written there.`;
    throw new CommandProblem(EXIT.refused, 'UNSAFE_PATH', message);
  }
  return join(folder, ...place.split('/'));
}
