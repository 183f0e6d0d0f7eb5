/** The waves of a finished job as a table: the last values at the first points of each case, from the summaries of its tasks. */
import Joi from 'joi';

import type { CommandFindings, JobResults } from '../command.ts';

interface Point {
  /** Null where the model's table of one point does not tell its place. */
  readonly x: number | null;
  readonly y: number | null;
  readonly significantWaveHeightMetres?: number | null;
  readonly peakPeriodSeconds?: number | null;
  readonly smoothedPeakPeriodSeconds?: number | null;
  readonly directionDegrees?: number | null;
}

interface Summary {
  readonly greatestWaveHeightMetres: number | null;
  readonly points: readonly Point[];
}

const number = Joi.number().allow(null);
// A service of another version may tell more, so only what is shown is read.
const SUMMARY = Joi.object<Summary>({
  greatestWaveHeightMetres: number.required(),
  points: Joi.array()
    .items(
      Joi.object({
        x: number.required(),
        y: number.required(),
        significantWaveHeightMetres: number,
        peakPeriodSeconds: number,
        smoothedPeakPeriodSeconds: number,
        directionDegrees: number,
      }).unknown(),
    )
    .required(),
})
  .unknown()
  .required();

/** The waves for people and programs; null while no case is done. */
export async function findWaves(results: Pick<JobResults, 'tasks'>): Promise<CommandFindings | null> {
  const cases: { readonly id: string; readonly summary: Summary }[] = [];
  for await (const { id, state, summary } of results.tasks()) {
    const result = SUMMARY.validate(summary, { convert: false });
    if (state === 'SUCCEEDED' && result.error === undefined) cases.push({ id, summary: result.value });
  }
  if (cases.length === 0) return null;
  return {
    data: {
      cases: cases.map(({ id, summary: { greatestWaveHeightMetres, points } }) => ({
        case: id,
        greatestWaveHeightMetres,
        points,
      })),
    },
    columns: [
      { title: 'CASE', align: 'right' },
      { title: 'X', align: 'right' },
      { title: 'Y', align: 'right' },
      { title: 'HS m', align: 'right' },
      { title: 'PEAK s', align: 'right' },
      { title: 'DIRECTION °', align: 'right' },
    ],
    rows: cases.flatMap(({ id, summary }) => summary.points.map((point) => rowOf(id, point))),
    note: cases.some(({ summary }) => summary.points.length > 0)
      ? 'The values are those at the end of each case. Ranges of all times are in summary.json.'
      : 'No table of the case tells waves at points. Ranges of fields are in summary.json.',
  };
}

function rowOf(id: string, point: Point): readonly (string | number | null)[] {
  return [
    id,
    point.x,
    point.y,
    point.significantWaveHeightMetres?.toFixed(2) ?? null,
    (point.peakPeriodSeconds ?? point.smoothedPeakPeriodSeconds)?.toFixed(1) ?? null,
    point.directionDegrees?.toFixed(0) ?? null,
  ];
}
