/** The pockets of a finished job as a table, from its report, whose boxes the service has computed anew. */
import Joi from 'joi';

import type { CommandFindings, JobResults } from '../command.ts';
import { JSON_BOUNDS, readJson } from '../json-value.ts';
import { inPieces } from '../pieces.ts';
import { REPORT, REPORT_KIND } from './names.ts';

/** One pocket as the command shows it; the box is what a docking request takes. */
export interface FoundPocket {
  readonly rank: number;
  readonly score: number;
  readonly druggabilityScore: number | null;
  readonly volumeAngstrom3: number;
  readonly centerAngstrom: readonly number[];
  readonly box: { readonly centerAngstrom: readonly number[]; readonly sizeAngstrom: readonly number[] };
  readonly residueCount: number;
}

interface ReportedPocket extends Omit<FoundPocket, 'residueCount'> {
  readonly residues: readonly unknown[];
}

/** A report of twenty pockets has some hundred thousand values. */
const MOST_VALUES = 600_000;
const number = Joi.number().required();
const vector = Joi.array().items(number).length(3).required();
// A service of another version may report more, so only what is shown is read.
const FOUND = Joi.object<{ readonly pockets: readonly ReportedPocket[] }>({
  pockets: Joi.array()
    .items(
      Joi.object({
        rank: number,
        score: number,
        druggabilityScore: number.allow(null),
        volumeAngstrom3: number,
        centerAngstrom: vector,
        box: Joi.object({ centerAngstrom: vector, sizeAngstrom: vector }).required(),
        residues: Joi.array().required(),
      }).unknown(),
    )
    .required(),
})
  .unknown()
  .required();

/** The pockets that a job has found; null while its report is not there. */
export async function readPockets(results: Pick<JobResults, 'read'>): Promise<readonly FoundPocket[] | null> {
  const bytes = await results.read(REPORT_KIND, REPORT);
  if (bytes === null) return null;
  const report = await readJson(inPieces([bytes]), { ...JSON_BOUNDS, values: MOST_VALUES });
  const result = FOUND.validate(report, { convert: false });
  if (result.error !== undefined) return null;
  return result.value.pockets.map((one) => ({
    rank: one.rank,
    score: one.score,
    druggabilityScore: one.druggabilityScore,
    volumeAngstrom3: one.volumeAngstrom3,
    centerAngstrom: one.centerAngstrom,
    box: one.box,
    residueCount: one.residues.length,
  }));
}

/** The pockets for people and programs, and where the rest is told. */
export async function findPockets(results: Pick<JobResults, 'read'>): Promise<CommandFindings | null> {
  const pockets = await readPockets(results);
  if (pockets === null) return null;
  return {
    data: { pockets },
    columns: [
      { title: 'RANK', align: 'right' },
      { title: 'SCORE', align: 'right' },
      { title: 'DRUGGABILITY', align: 'right' },
      { title: 'VOLUME Å³', align: 'right' },
      { title: 'CENTRE Å', align: 'right' },
      { title: 'RESIDUES', align: 'right' },
    ],
    rows: pockets.map((one) => [
      one.rank,
      one.score.toFixed(3),
      one.druggabilityScore?.toFixed(3) ?? null,
      one.volumeAngstrom3.toFixed(0),
      one.centerAngstrom.map((place) => place.toFixed(1)).join(', '),
      one.residueCount,
    ]),
    note:
      pockets.length === 0
        ? 'fpocket found no pocket.'
        : 'Residues, alpha spheres and a box to dock into are in pockets.json.',
  };
}
