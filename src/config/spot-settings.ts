/** The settings of spot instances. */
import Joi from 'joi';

import { number, text } from './setting.ts';

/** Settings of spot instances, by their names in code. */
export const SPOT_SETTINGS = {
  spotWaitSeconds: number(
    Joi.number().positive().default(120),
    'DOCKYARD_SPOT_WAIT_SECONDS',
    ['control'],
    'How long a resumable job waits for a spot instance before it gets one on demand, which costs the customer no more.',
  ),
  drainSeconds: number(
    Joi.number().positive().default(90),
    'DOCKYARD_DRAIN_SECONDS',
    ['control', 'compute', 'instance', 'cli'],
    'How long tasks may run on when their instance is about to be taken away; a cloud gives two minutes, of which some are for uploads.',
  ),
  machineDir: text(
    Joi.string().default('/run/dockyard'),
    'DOCKYARD_MACHINE_DIR',
    ['instance'],
    'Where the worker of a machine in the cloud finds the notice, and gives its sign of life.',
  ),
  idleMinutes: number(
    Joi.number().positive().default(15),
    'DOCKYARD_IDLE_MINUTES',
    ['control', 'instance', 'cli'],
    'After so long without work the worker of a machine in the cloud ends, and the machine with it.',
  ),
  spotPlaces: number(
    Joi.number().integer().min(0).default(0),
    'DOCKYARD_COMPUTE_SPOT_PLACES',
    ['api', 'control', 'compute', 'cli'],
    'Spot instances that the local host runs at once, to try the market on one machine; 0: it offers no spot.',
  ),
};
