/** Summary of a run of SWAN. */
import Joi from 'joi';

import type { TaskSummary } from '../shown.ts';
import { POINT_VALUES, RUN_VALUES } from '../waves/live-view.ts';

const POINT = Joi.object({
  x: Joi.number().description('Place in x, in m, or the longitude in degrees.'),
  y: Joi.number()
    .allow(null)
    .description('Place in y, in m, or the latitude in degrees; null in one dimension.'),
  ...POINT_VALUES,
  depthMetres: Joi.number().allow(null).description('Depth at the end, in m.'),
}).unknown();

/** The summary of a run. */
export const swanSummary: TaskSummary = {
  name: 'SwanSummary',
  schema: Joi.object({
    ...RUN_VALUES,
    accuratePercent: Joi.number()
      .allow(null)
      .description(
        'Accurate points at the end of the last iterations, in percent; null where SWAN does not tell.',
      ),
    points: Joi.array()
      .items(POINT)
      .description('The first points of the tables, those of the shortest table first.'),
  })
    .unknown()
    .description('What a run of SWAN says of itself; there may be further members.'),
};
