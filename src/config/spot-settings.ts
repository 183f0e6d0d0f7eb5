/** The settings of spot instances. */
import Joi from 'joi';

import { number, text } from './setting.ts';

/** Settings of spot instances, by their names in code. */
export const SPOT_SETTINGS = {
  machineDir: text(
    Joi.string().default('/run/dockyard'),
    'DOCKYARD_MACHINE_DIR',
    ['instance'],
    'Where the worker of a machine in the cloud finds the notice, and gives its sign of life.',
  ),
  spotPlaces: number(
    Joi.number().integer().min(0).default(0),
    'DOCKYARD_COMPUTE_SPOT_PLACES',
    ['api', 'control', 'compute', 'cli'],
    'Spot instances that the local host runs at once, to try the market on one machine; 0: it offers no spot.',
  ),
};
