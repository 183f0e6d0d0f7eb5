/** Summary of a run of a wave model, and the line that tells a person of all runs of a job. */
import Joi from 'joi';

import type { LiveView, SeenTask } from '../shown.ts';

interface Ran {
  readonly greatestWaveHeightMetres: number | null;
}

/** Members that the summaries of all models have for a point. */
export const POINT_VALUES = {
  significantWaveHeightMetres: Joi.number()
    .allow(null)
    .description('Significant wave height at the end, in m.'),
  peakPeriodSeconds: Joi.number().allow(null).description('Peak period at the end, in seconds.'),
  directionDegrees: Joi.number()
    .allow(null)
    .description('Mean direction at the end, in degrees, in the convention of the case.'),
};

/** Members that the summaries of all models have. */
export const RUN_VALUES = {
  steps: Joi.number().integer().min(0).required().description('Number of time steps.'),
  greatestWaveHeightMetres: Joi.number()
    .allow(null)
    .required()
    .description('Greatest significant wave height of all tables and fields, in m; null where none has it.'),
  resumable: Joi.boolean().description('Whether the run could be cut, and so be taken up after a loss.'),
};

const LINE = Joi.object<Ran>({ greatestWaveHeightMetres: Joi.number().allow(null).required() })
  .unknown()
  .required()
  .prefs({ convert: false });

/** How many runs are done, and the greatest wave height of them. */
export const wavesView: LiveView = {
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
