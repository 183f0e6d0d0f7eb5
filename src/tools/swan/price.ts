/**
 * A run is priced by the seconds that it takes on a core. The estimate is what the request expects of a task, else what its grid,
 * spectrum and steps come to by the figures of price.json, else a default there; once a run is under way, its progress tells more.
 */
import { CEILING_PERCENT } from '../../domain/pricing.ts';
import type { Priced } from '../../domain/priced.ts';
import type { PriceBook, TaskPricing } from '../../domain/pricing.ts';
import { microUsdPerCoreSecond, pricedRecovery } from '../core-price.ts';
import type { PlannableRequest } from '../tool.ts';
import { expectedOf } from './parameters.ts';
import priceFigures from './price.json' with { type: 'json' };

const BYTES_PER_GB = 1e9;
const SECONDS_PER_HOUR = 3600;

/** Figures of the tool in the price book. */
export const PRICE_FIGURES = priceFigures;
const { figures } = priceFigures;

/** Prices the cases of a job. */
export function priceSwan(request: PlannableRequest, taskCount: number, book: PriceBook): TaskPricing {
  const perSecond = microUsdPerCoreSecond(book, request.recovery?.mode === 'resumable');
  const gigabytes = (figures.outputBytes * taskCount) / BYTES_PER_GB;
  return {
    model: 'measured',
    microPerHour: Math.ceil(perSecond * figures.overheadFactor * SECONDS_PER_HOUR),
    estimatedSeconds: Math.ceil(taskSeconds(request) * taskCount),
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
export function pricedSwan(request: PlannableRequest): Priced {
  return { fields: { 'the seconds of a task': taskSeconds(request), ...pricedRecovery(request) }, sizes: {} };
}

function taskSeconds(request: PlannableRequest): number {
  return expectedOf(request) ?? figures.defaultTaskSeconds;
}
