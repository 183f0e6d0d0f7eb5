/** Summary of a run of SWAN, and the line that tells a person of all runs of a job. */
import Joi from 'joi';

import type { LiveView, SeenTask, TaskSummary } from '../shown.ts';

interface Ran {
  readonly greatestWaveHeightMetres: number | null;
}

const POINT = Joi.object({
  x: Joi.number().description('Place in x, in m, or the longitude in degrees.'),
  y: Joi.number().description('Place in y, in m, or the latitude in degrees.'),
  significantWaveHeightMetres: Joi.number()
    .allow(null)
    .description('Significant wave height at the end, in m.'),
  peakPeriodSeconds: Joi.number().allow(null).description('Peak period at the end, in seconds.'),
  directionDegrees: Joi.number()
    .allow(null)
    .description('Mean direction at the end, in degrees, in the convention of the case.'),
  depthMetres: Joi.number().allow(null).description('Depth at the end, in m.'),
}).unknown();

const SUMMARY = Joi.object({
  steps: Joi.number().integer().min(0).required().description('Number of time steps.'),
  greatestWaveHeightMetres: Joi.number()
    .allow(null)
    .required()
    .description('Greatest significant wave height of all tables and fields, in m; null where none has it.'),
  accuratePercent: Joi.number()
    .allow(null)
    .description(
      'Accurate points at the end of the last iterations, in percent; null where SWAN does not tell.',
    ),
  resumable: Joi.boolean().description('Whether the run could be cut, and so be taken up after a loss.'),
  points: Joi.array().items(POINT).description('The first points of the first table that tells places.'),
})
  .unknown()
  .description('What a run of SWAN says of itself; there may be further members.');

/** The summary of a run. */
export const swanSummary: TaskSummary = { name: 'SwanSummary', schema: SUMMARY };

const LINE = Joi.object<Ran>({ greatestWaveHeightMetres: Joi.number().allow(null).required() })
  .unknown()
  .required()
  .prefs({ convert: false });

/** How many runs are done, and the greatest wave height of them. */
export const swanView: LiveView = {
  line(tasks) {
    const ran = tasks.flatMap(ranOf);
    if (ran.length === 0) return null;
    const heights = ran.flatMap(({ greatestWaveHeightMetres: height }) => (height === null ? [] : [height]));
    const highest = heights.length === 0 ? '' : `, waves of at most ${Math.max(...heights).toFixed(2)} m`;
    return `${ran.length} ${ran.length === 1 ? 'case' : 'cases'} done${highest}`;
  },
};

function ranOf({ state, summary }: SeenTask): readonly Ran[] {
  const result = LINE.validate(summary);
  return state !== 'SUCCEEDED' || result.error !== undefined ? [] : [result.value];
}
