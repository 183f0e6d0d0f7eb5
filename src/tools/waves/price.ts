/**
 * A run is priced by the seconds that it takes, at the share that its slot has of an instance of the planned class. The estimate is what the request expects of a task, else what its grid,
 * spectrum and steps come to by the figures of its model, else a default there; once a run is under way, its progress tells more.
 */
import type { JobPlan } from '../../contracts/job.ts';
import { CEILING_PERCENT } from '../../domain/pricing.ts';
import type { Priced } from '../../domain/priced.ts';
import type { PriceBook, TaskPricing } from '../../domain/pricing.ts';
import { microUsdPerPlannedSecond, pricedRecovery } from '../core-price.ts';
import type { PlannableRequest } from '../tool.ts';
import type { WaveFigures, WaveModel } from './model.ts';
import { expectedSeconds, numbersOf, stepsOf } from './parameters.ts';

const BYTES_PER_GB = 1e9;
const SECONDS_PER_HOUR = 3600;

/** The seconds that a step takes for one number of the spectra. */
export function secondsPerNumber({ microsecondsPerNumber }: WaveFigures): number {
  return microsecondsPerNumber / 1e6;
}

/** Prices the cases of a job. */
export function priceWaves(
  request: PlannableRequest,
  { plan, book, model }: { readonly plan: JobPlan; readonly book: PriceBook; readonly model: WaveModel },
): TaskPricing {
  const { figures } = model.price;
  const perSecond = microUsdPerPlannedSecond(book, plan, request.recovery?.mode === 'resumable');
  const share = plan.vcpusPerInstance / plan.slotsPerInstance;
  const gigabytes = (figures.outputBytes * plan.taskCount) / BYTES_PER_GB;
  return {
    model: 'measured',
    microPerHour: Math.ceil(perSecond * share * figures.overheadFactor * SECONDS_PER_HOUR),
    estimatedSeconds: Math.ceil(taskSeconds(request, figures) * plan.taskCount),
    ceilingPercent: CEILING_PERCENT,
    currency: 'USD',
    startFeeMicro: book.startFeeMicroUsd,
    softwareMicro: 0,
    storageMicro: Math.ceil(gigabytes * figures.storageMonths * book.storagePerGbMonthMicroUsd),
    egressMicro: Math.ceil(gigabytes * book.egressPerGbMicroUsd),
    licenceNames: [],
  };
}

/** Picks the values of a request that the price reads. */
export function pricedWaves(request: PlannableRequest, { price }: WaveModel): Priced {
  return {
    fields: {
      'the seconds of a task': taskSeconds(request, price.figures),
      // A slot has the share of an instance that the memory for so many numbers leaves it.
      'the numbers of parameters.grid': numbersOf(request) ?? 'not said',
      ...pricedRecovery(request),
    },
    sizes: {},
  };
}

/** The seconds that a task is expected to take, by what the request says of its time or its size; null where it says nothing. */
export function expectedOf(
  request: Pick<PlannableRequest, 'simulationParams' | 'metadata' | 'parameters'>,
  figures: WaveFigures,
): number | null {
  const [told, numbers, steps] = [expectedSeconds(request), numbersOf(request), stepsOf(request)];
  if (told !== null || numbers === null || steps === null) return told;
  return Math.max(1, numbers * steps * secondsPerNumber(figures));
}

function taskSeconds(request: PlannableRequest, figures: WaveFigures): number {
  return expectedOf(request, figures) ?? figures.defaultTaskSeconds;
}
