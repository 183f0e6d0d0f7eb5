/** Summary of a run of WAVEWATCH III. */
import Joi from 'joi';

import type { TaskSummary } from '../shown.ts';
import { POINT_VALUES, RUN_VALUES } from '../waves/live-view.ts';

const number = Joi.number().allow(null);

const POINT = Joi.object({
  x: number.description('Place in x, in m, or the longitude in degrees; null in a table of one point.'),
  y: number.description('Place in y, in m, or the latitude in degrees; null in a table of one point.'),
  ...POINT_VALUES,
  meanPeriodSeconds: number.description('Mean period at the end, in seconds.'),
  meanWaveLengthMetres: number.description('Mean wave length at the end, in m.'),
}).unknown();

/** The summary of a run. */
export const wavewatch3Summary: TaskSummary = {
  name: 'Wavewatch3Summary',
  schema: Joi.object({
    ...RUN_VALUES,
    points: Joi.array().items(POINT).description('The first points of the tables that ww3_outp wrote.'),
  })
    .unknown()
    .description('What a run of WAVEWATCH III says of itself; there may be further members.'),
};
