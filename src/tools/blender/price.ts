/**
 * A frame is priced by the seconds that it takes, at the share that its slot has of an instance of the planned class. The estimate is what the request expects
 * of a frame, else a default that price.json names; once frames are drawn, the forecast of the job tells more.
 */
import type { JobPlan } from '../../contracts/job.ts';
import { CEILING_PERCENT } from '../../domain/pricing.ts';
import type { Priced } from '../../domain/priced.ts';
import type { PriceBook, TaskPricing } from '../../domain/pricing.ts';
import { licenceOf, microUsdPerPlannedSecond, pricedRecovery } from '../core-price.ts';
import type { PlannableRequest } from '../tool.ts';
import { BLENDER_ID, memoryGibOf, threadsOf } from './parameters.ts';
import priceFigures from './price.json' with { type: 'json' };

const BYTES_PER_GB = 1e9;
/** An estimate counts with no more, so that every price stays an exact integer. */
const MOST_GB = 1_000_000;
const SECONDS_PER_HOUR = 3600;
const SECONDS_PER_MINUTE = 60;

/** Figures of the tool in the price book. */
export const PRICE_FIGURES = priceFigures;
const { figures } = priceFigures;

/** Prices the frames of a job. */
export function priceRender(request: PlannableRequest, plan: JobPlan, book: PriceBook): TaskPricing {
  const perSecond = microUsdPerPlannedSecond(book, plan, request.recovery?.mode === 'resumable');
  const cores = plan.vcpusPerInstance / plan.slotsPerInstance;
  const gigabytes = gigabytesOf(request, plan.taskCount);
  return {
    model: 'measured',
    microPerHour: Math.ceil(perSecond * cores * figures.overheadFactor * SECONDS_PER_HOUR),
    estimatedSeconds: Math.ceil(
      (frameSeconds(request) ?? figures.defaultFrameSeconds / cores) * plan.taskCount,
    ),
    ceilingPercent: CEILING_PERCENT,
    currency: 'USD',
    startFeeMicro: book.startFeeMicroUsd,
    softwareMicro: 0,
    storageMicro: Math.ceil(gigabytes * figures.storageMonths * book.storagePerGbMonthMicroUsd),
    egressMicro: Math.ceil(gigabytes * book.egressPerGbMicroUsd),
    ...licenceOf(book, BLENDER_ID, plan),
  };
}

/** Picks the values of a request that the price reads. */
export function pricedRender(request: PlannableRequest): Priced {
  const { totalSizeGB } = request.metadata ?? {};
  return {
    fields: {
      'the seconds of a frame': frameSeconds(request) ?? 'not said',
      'parameters.threads': threadsOf(request) ?? 'all',
      'parameters.memoryGiB': memoryGibOf(request),
      'metadata.totalSizeGB': typeof totalSizeGB === 'number' ? totalSizeGB : 'not said',
      ...pricedRecovery(request),
    },
    sizes: {},
  };
}

function gigabytesOf({ metadata }: PlannableRequest, frames: number): number {
  const { totalSizeGB } = metadata ?? {};
  return typeof totalSizeGB === 'number'
    ? Math.min(totalSizeGB, MOST_GB)
    : (figures.frameBytes * frames) / BYTES_PER_GB;
}

/** The seconds that the request expects a frame to take; null where it does not say. */
function frameSeconds({ metadata }: Pick<PlannableRequest, 'metadata'>): number | null {
  const { renderTimeMinutes: minutes } = metadata ?? {};
  return typeof minutes === 'number' && minutes > 0 ? minutes * SECONDS_PER_MINUTE : null;
}
