/** Parameters of a search for pockets in a request, with the defaults applied. */
import type { SimulationParams } from '../../domain/requests.ts';
import { RECEPTOR_PARAMETERS } from '../receptor.ts';

/** The tool's name, in requests and in the price book. */
export const FPOCKET_ID = 'fpocket';

/** Every simulation parameter that a search reads. */
export const POCKET_PARAMETERS = [
  ...RECEPTOR_PARAMETERS,
  'maxPockets',
] as const satisfies readonly (keyof SimulationParams)[];

/** The most pockets that a request may ask for. */
export const MOST_POCKETS = 20;
const DEFAULT_POCKETS = 10;

/**
 * The time, in seconds since 1970, that the program's clock tells in every run: the seed of its volumes. One time for all
 * jobs, so that equal structures have equal numbers.
 */
export const CLOCK_SECONDS = 1;

/** How many of the ranked pockets are kept. */
export function maxPocketsOf(params: SimulationParams | undefined): number {
  return params?.maxPockets ?? DEFAULT_POCKETS;
}
