/** The pockets of a finished job as a table, from the summary of its one task. */
import Joi from 'joi';

import type { Client } from '../../client/index.ts';
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

interface Summary {
  readonly pockets: readonly ShownPocket[];
}

const SUMMARY = Joi.object<Summary>({
  pockets: Joi.array()
    .items(
      Joi.object({
        rank: Joi.number().required(),
        score: Joi.number().required(),
        druggabilityScore: Joi.number().allow(null).required(),
        volumeAngstrom3: Joi.number().required(),
        centerAngstrom: Joi.array().items(Joi.number()).length(3).required(),
        residueCount: Joi.number().required(),
      }).unknown(),
    )
    .required(),
})
  .unknown()
  .required();

/** The pockets that a job has found; null while its task has not succeeded. */
export async function readPockets(
  client: Pick<Client, 'tasks'>,
  jobId: string,
): Promise<readonly ShownPocket[] | null> {
  for await (const { state, summary } of client.tasks(jobId)) {
    const checked = SUMMARY.validate(summary, { convert: false });
    if (state === 'SUCCEEDED' && checked.error === undefined) return checked.value.pockets;
  }
  return null;
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
