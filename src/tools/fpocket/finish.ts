/**
 * `view.pml` shows the structure with its pockets in PyMOL. The control side makes the script from the number of pockets
 * alone: a script that an instance wrote could run anything on the customer's machine.
 */
import type { FinishedJob, FinishedTask, FinishFile } from '../finished.ts';
import { pocketFiles, SELECTED } from './names.ts';
import { MOST_POCKETS } from './parameters.ts';

/** The numbers of the task's summary from which the script is made. */
export const VIEW_NUMBERS = ['pocketCount'] as const;

const COLOURS = [
  'marine',
  'orange',
  'forest',
  'magenta',
  'teal',
  'salmon',
  'olive',
  'violet',
  'gold',
  'cyan',
];

/** The files that are made at the end of a search. */
export async function pocketFinishFiles(job: FinishedJob): Promise<readonly FinishFile[]> {
  const task = await verifiedTask(job);
  if (task === undefined) return [];
  const count = task.summary?.[VIEW_NUMBERS[0]];
  const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MOST_POCKETS;
  return [
    {
      name: 'view.pml',
      kind: 'view',
      mediaType: 'text/plain',
      format: 'pml',
      body: Buffer.from(viewScript(isCount ? count : 0), 'utf8'),
    },
  ];
}

/** The one task of the job, where it is verified. */
async function verifiedTask(job: FinishedJob): Promise<FinishedTask | undefined> {
  for await (const task of job.tasks()) if (task.state === 'SUCCEEDED') return task;
  return undefined;
}

/** The script; of each pocket it shows the spheres as a surface and the residues, the best pocket switched on. */
export function viewScript(pocketCount: number): string {
  const ranks = Array.from({ length: pocketCount }, (_, index) => index + 1);
  return [
    '# Open in the folder of the downloaded outputs: pymol view.pml',
    '# Pockets are numbered by rank; scores, residues and boxes to dock into are in pockets.json.',
    `load ${SELECTED}, structure`,
    'hide everything, structure',
    'show cartoon, structure',
    'show sticks, structure and organic',
    'color grey80, structure and elem C',
    ...ranks.flatMap(pocketLines),
    pocketCount === 0 ? 'zoom structure' : 'zoom pocket1, 6',
    '',
  ].join('\n');
}

function pocketLines(rank: number): string[] {
  const [atoms, spheres] = pocketFiles(rank);
  const colour = COLOURS[(rank - 1) % COLOURS.length] ?? 'marine';
  const group = `pocket${rank}`;
  return [
    `load ${spheres}, ${group}_spheres`,
    `hide everything, ${group}_spheres`,
    // The radii of alpha spheres reach to the atoms, so a smaller ball shows the free room.
    `alter ${group}_spheres, vdw=1.2`,
    `show surface, ${group}_spheres`,
    `color ${colour}, ${group}_spheres`,
    `set transparency, 0.4, ${group}_spheres`,
    `load ${atoms}, ${group}_atoms`,
    `hide everything, ${group}_atoms`,
    `show sticks, byres (structure within 0.01 of ${group}_atoms)`,
    `group ${group}, ${group}_spheres ${group}_atoms`,
    ...(rank === 1 ? [] : [`disable ${group}`]),
  ];
}
