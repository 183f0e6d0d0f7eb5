/** The pockets of a finished job as a table, from the summary of its one task. */
import type { Client } from '../../client/index.ts';
import { isRecord } from '../../domain/is-record.ts';
import { table } from '../table.ts';

/** One pocket as the summary tells it. */
export interface ShownPocket {
  readonly rank: number;
  readonly score: number;
  readonly druggabilityScore: number | null;
  readonly volumeAngstrom3: number;
  readonly centerAngstrom: readonly number[];
  readonly residueCount: number;
}

/** The pockets that a job has found; null while its task has not succeeded. */
export async function readPockets(
  client: Pick<Client, 'tasks'>,
  jobId: string,
): Promise<readonly ShownPocket[] | null> {
  for await (const { state, summary } of client.tasks(jobId)) {
    const pockets: unknown = isRecord(summary) ? summary['pockets'] : null;
    if (state === 'SUCCEEDED' && Array.isArray(pockets)) return pockets.filter(isPocket);
  }
  return null;
}

function isPocket(value: unknown): value is ShownPocket {
  if (!isRecord(value)) return false;
  const { druggabilityScore, centerAngstrom: center } = value;
  const isNumbered = ['rank', 'score', 'volumeAngstrom3', 'residueCount'].every((name) =>
    isNumber(value[name]),
  );
  const isPlaced = Array.isArray(center) && center.length === 3 && center.every(isNumber);
  return isNumbered && isPlaced && (druggabilityScore === null || isNumber(druggabilityScore));
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

/** The pockets for people, and where the rest is told. */
export function pocketsTable(pockets: readonly ShownPocket[]): string {
  if (pockets.length === 0) return 'fpocket found no pocket.\n';
  const shown = table(
    [
      { title: 'RANK', value: ({ rank }) => rank, align: 'right' },
      { title: 'SCORE', value: ({ score }) => score.toFixed(3), align: 'right' },
      { title: 'DRUGGABILITY', value: (one) => one.druggabilityScore?.toFixed(3) ?? null, align: 'right' },
      { title: 'VOLUME Å³', value: (one) => one.volumeAngstrom3.toFixed(0), align: 'right' },
      {
        title: 'CENTRE Å',
        value: (one) => one.centerAngstrom.map((place) => place.toFixed(1)).join(', '),
        align: 'right',
      },
      { title: 'RESIDUES', value: ({ residueCount }) => residueCount, align: 'right' },
    ],
    pockets,
  );
  return `${shown}Residues, alpha spheres and a box to dock into are in pockets.json.\n`;
}
