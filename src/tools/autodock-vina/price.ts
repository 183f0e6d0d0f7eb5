/**
 * The price of a ligand is fixed at admission from its size, the exhaustiveness and the number of side chains that turn; run
 * time, shard, order and number of attempts do not change it. The price book has the runtime model, with its source. A ligand in its
 * likely states has a price by their number, whose most is held.
 */
import { invariantBroken } from '../../domain/invariant.ts';
import type { Priced } from '../../domain/priced.ts';
import type { PriceBook, PriceClass, TaskPricing } from '../../domain/pricing.ts';
import type { JobLigand, SimulationParams } from '../../domain/requests.ts';
import { FEWER_STATES, MOST_STATES } from '../../domain/state-prices.ts';
import { microUsdPerCoreSecond, pricedRecovery } from '../core-price.ts';
import type { PlannableRequest, PriceFigures } from '../tool.ts';
import { heavyAtomsOf } from '../ligand-library/heavy-atoms.ts';
import { flexibleCount, ligandsOf, searchOf } from './parameters.ts';
import { ligandCount } from './plan.ts';
import { stateExhaustiveness } from './states.ts';
import type { JobWarning } from '../../domain/warnings.ts';
import data from './price.json' with { type: 'json' };

/** The tool's name, in requests and in the price book. */
export const VINA_ID = 'autodock-vina';

/** The figures of the runtime model, with their source. */
export const PRICE_FIGURES: PriceFigures = data;

const MODEL_EXHAUSTIVENESS = 8;
const BYTES_PER_GB = 1e9;
/** The ending of the class of a ligand that is docked in its likely states. */
const IN_STATES = '-states';

/** Ligands of a size have one price; `most` is the largest number of heavy atoms that the class has. */
const CLASSES = [
  { name: 'atoms-1-20', most: 20 },
  { name: 'atoms-21-30', most: 30 },
  { name: 'atoms-31-40', most: 40 },
  { name: 'atoms-41-55', most: 55 },
  { name: 'atoms-56-100', most: Infinity },
] as const;
/** The class of a ligand whose SMILES the request does not have: a file, a component of the dictionary, any in an estimate. */
const UNKNOWN_SIZE = 'atoms-21-30';

/**
 * Prices so many ligands; the receptor's preparation and the control docking cost nothing extra, and a dry run costs the start
 * fee alone.
 */
export function priceDocking(
  request: PlannableRequest,
  plan: { readonly taskCount: number },
  book: PriceBook,
): TaskPricing {
  const { numModes } = searchOf(request.simulationParams);
  const model = modelOf(book);
  const isDry = request.simulationParams?.dryRun === true;
  const modes = isDry ? 0 : numModes;
  const gigabytes = (plan.taskCount * modes * model('outputBytesPerMode')) / BYTES_PER_GB;
  return {
    model: 'fixed',
    classes: pricedClasses(request, plan.taskCount, book),
    currency: 'USD',
    startFeeMicro: book.startFeeMicroUsd,
    softwareMicro: 0,
    storageMicro: Math.ceil(gigabytes * model('storageMonths') * book.storagePerGbMonthMicroUsd),
    egressMicro: Math.ceil(gigabytes * book.egressPerGbMicroUsd),
    licenceNames: [],
  };
}

/** The price class of each ligand, in the order of the ligands. */
export function dockingClasses(
  { simulationParams }: PlannableRequest,
  { taskCount }: { readonly taskCount: number },
): readonly string[] {
  const classes = classesOfLibrary(simulationParams);
  return classes.length === taskCount ? classes : Array.from({ length: taskCount }, () => UNKNOWN_SIZE);
}

/** Picks the values of a request that the price of docking reads. */
export function pricedDocking(request: PlannableRequest): Priced {
  const { exhaustiveness, numModes } = searchOf(request.simulationParams);
  const counts = countsOf(dockingClasses(request, { taskCount: ligandCount(request) }));
  return {
    fields: {
      'simulationParams.exhaustiveness': exhaustiveness,
      'simulationParams.numModes': numModes,
      'the number of flexibleResidues': flexibleCount(request.simulationParams),
      'the number of ligands by heavy atoms': [...counts]
        .map(([name, ligands]) => `${name}: ${String(ligands)}`)
        .toSorted()
        .join(', '),
      ...pricedRecovery(request),
    },
    sizes: {},
  };
}

/** The classes that have ligands, the small ones first, each with the price of one ligand. */
function pricedClasses(request: PlannableRequest, taskCount: number, book: PriceBook): readonly PriceClass[] {
  const model = modelOf(book);
  const isDry = request.simulationParams?.dryRun === true;
  const { exhaustiveness } = searchOf(request.simulationParams);
  const turning = 1 + model('searchShareAddedPerFlexibleResidue') * flexibleCount(request.simulationParams);
  const microUsdPerSecond =
    model('overheadFactor') * microUsdPerCoreSecond(book, request.recovery?.mode === 'resumable');
  const counts = countsOf(dockingClasses(request, { taskCount }));
  return CLASSES.flatMap(({ name }) => {
    const search = model(`searchCoreSecondsPerLigandAtExhaustiveness8:${name}`);
    const perTaskMicro = (states: number): number => {
      const searched = states * stateExhaustiveness(exhaustiveness, states) * turning;
      const coreSeconds = model('fixedCoreSecondsPerLigand') + (search * searched) / MODEL_EXHAUSTIVENESS;
      return isDry ? 0 : Math.ceil(coreSeconds * microUsdPerSecond);
    };
    const planned = `${name}${IN_STATES}`;
    const less = FEWER_STATES.map(({ most, ending }) => ({
      class: `${planned}${ending}`,
      perTaskMicro: perTaskMicro(most),
    }));
    return [
      { class: name, tasks: counts.get(name) ?? 0, perTaskMicro: perTaskMicro(1) },
      {
        class: planned,
        tasks: counts.get(planned) ?? 0,
        perTaskMicro: perTaskMicro(MOST_STATES),
        ...(isDry ? {} : { less }),
      },
    ].filter(({ tasks }) => tasks > 0);
  });
}

/** Warns a customer whose ligands may have several states: of the hold, and of the cost of the states. */
export function warnOfStates({ simulationParams }: PlannableRequest): readonly JobWarning[] {
  const ligands = classesOfLibrary(simulationParams).filter((name) => name.endsWith(IN_STATES)).length;
  if (ligands === 0 || simulationParams?.dryRun === true) return [];
  const { exhaustiveness } = searchOf(simulationParams);
  const times = (states: number): string =>
    ((states * stateExhaustiveness(exhaustiveness, states)) / exhaustiveness).toFixed(1).replace('.0', '');
  const message = `preparation.states: ${ligands} of the ligands ${ligands === 1 ? 'is' : 'are'} docked in likely states. Held is the price of ${MOST_STATES} states each; a ligand is charged by the states that it has: the search once for one state, ${times(8)} times for 2 to 8, ${times(MOST_STATES)} times for 9 to ${MOST_STATES}.`;
  return [{ code: 'STATES_PRICED', message }];
}

/** A library is counted once for a request, not once for each question about its price. */
const known = new WeakMap<SimulationParams, readonly string[]>();

function classesOfLibrary(params: SimulationParams | undefined): readonly string[] {
  if (params === undefined) return [];
  const before = known.get(params);
  if (before !== undefined) return before;
  const classes = ligandsOf(params).map(({ source, preparation }) => {
    const atoms = atomsOf(source);
    const size =
      atoms === null ? UNKNOWN_SIZE : (CLASSES.find(({ most }) => atoms <= most)?.name ?? UNKNOWN_SIZE);
    return preparation.states === 'likely' ? `${size}${IN_STATES}` : size;
  });
  known.set(params, classes);
  return classes;
}

/** The heavy atoms of a ligand whose SMILES or record is known. */
function atomsOf(source: JobLigand['source']): number | null {
  switch (source.kind) {
    case 'smiles':
      return heavyAtomsOf(source.smiles);
    case 'record':
      return source.heavyAtoms;
    case 'ccd':
    case 'artifact':
      return null;
    default:
      return source satisfies never;
  }
}

function countsOf(classes: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of classes) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function modelOf(book: PriceBook): (name: string) => number {
  const entry = book.tools[VINA_ID] ?? {};
  return (name) => entry[name] ?? missing(`tools.${VINA_ID}.${name}`);
}

function missing(path: string): never {
  throw invariantBroken(`the price book has no ${path}`);
}
