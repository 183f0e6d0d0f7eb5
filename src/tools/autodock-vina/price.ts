/**
 * The price of a ligand is fixed at admission from the exhaustiveness and the number of side chains that turn; run time,
 * shard, order and number of attempts do not change it. The price book has the runtime model, with its source.
 */
import { invariantBroken } from '../../domain/invariant.ts';
import { oneClass } from '../../domain/pricing.ts';
import type { Priced } from '../../domain/priced.ts';
import type { PriceBook, TaskPricing } from '../../domain/pricing.ts';
import { microUsdPerCoreSecond, pricedRecovery } from '../core-price.ts';
import type { PlannableRequest, PriceFigures } from '../tool.ts';
import { flexibleCount, searchOf } from './parameters.ts';
import data from './price.json' with { type: 'json' };

/** The tool's name, in requests and in the price book. */
export const VINA_ID = 'autodock-vina';

/** The figures of the runtime model, with their source. */
export const PRICE_FIGURES: PriceFigures = data;

const MODEL_EXHAUSTIVENESS = 8;
const BYTES_PER_GB = 1e9;

/** Prices so many ligands; the receptor's preparation and the control docking cost nothing extra. */
export function priceDocking(
  request: PlannableRequest,
  plan: { readonly taskCount: number },
  book: PriceBook,
): TaskPricing {
  const { exhaustiveness, numModes } = searchOf(request.simulationParams);
  const entry = book.tools[VINA_ID] ?? {};
  const model = (name: string): number => entry[name] ?? missing(`tools.${VINA_ID}.${name}`);
  const turning = 1 + model('searchShareAddedPerFlexibleResidue') * flexibleCount(request.simulationParams);
  const coreSeconds =
    model('fixedCoreSecondsPerLigand') +
    (model('searchCoreSecondsPerLigandAtExhaustiveness8') * exhaustiveness * turning) / MODEL_EXHAUSTIVENESS;
  const microUsd =
    coreSeconds *
    model('overheadFactor') *
    microUsdPerCoreSecond(book, request.recovery?.mode === 'resumable');
  const gigabytes = (plan.taskCount * numModes * model('outputBytesPerMode')) / BYTES_PER_GB;
  return {
    model: 'fixed',
    classes: oneClass(plan.taskCount, Math.ceil(microUsd)),
    currency: 'USD',
    startFeeMicro: book.startFeeMicroUsd,
    softwareMicro: 0,
    storageMicro: Math.ceil(gigabytes * model('storageMonths') * book.storagePerGbMonthMicroUsd),
    egressMicro: Math.ceil(gigabytes * book.egressPerGbMicroUsd),
    licenceNames: [],
  };
}

/** What the price of docking reads of a request. */
export function pricedDocking(request: PlannableRequest): Priced {
  const { exhaustiveness, numModes } = searchOf(request.simulationParams);
  return {
    fields: {
      'simulationParams.exhaustiveness': exhaustiveness,
      'simulationParams.numModes': numModes,
      'the number of flexibleResidues': flexibleCount(request.simulationParams),
      ...pricedRecovery(request),
    },
    sizes: {},
  };
}

function missing(path: string): never {
  throw invariantBroken(`the price book has no ${path}`);
}
