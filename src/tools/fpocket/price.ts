/**
 * A structure has one price, fixed at admission by the size of its file; price.json has the figures, with their sources.
 */
import { invariantBroken } from '../../domain/invariant.ts';
import { oneClass } from '../../domain/pricing.ts';
import type { PriceBook, TaskPricing } from '../../domain/pricing.ts';
import type { InputSizes, PlannableRequest } from '../tool.ts';
import priceFigures from './price.json' with { type: 'json' };

const BYTES_PER_GB = 1e9;
const SECONDS_PER_HOUR = 3600;
/** The kind of instance whose vCPU a search is priced by. */
const INSTANCE_TYPE = 'c7i.xlarge';

/** What the price book says of the tool. */
export const PRICE_FIGURES = priceFigures;
const { figures } = priceFigures;

/** The size of a structure that no file tells: of a deposited entry, and at an estimate. */
export const DEFAULT_INPUT_BYTES = figures.defaultInputBytes;

/** Prices the one task of a search. */
export function pricePockets(
  request: PlannableRequest,
  book: PriceBook,
  { totalBytes }: Pick<InputSizes, 'totalBytes'>,
): TaskPricing {
  const instance = book.instanceTypes[INSTANCE_TYPE];
  if (instance === undefined) throw invariantBroken(`the price book has no ${INSTANCE_TYPE}`);
  const isSpot = request.recovery?.mode === 'resumable';
  const microUsdPerHour = isSpot ? instance.spotMicroUsdPerHour : instance.onDemandMicroUsdPerHour;
  const coreHours = (coreSecondsOf(totalBytes) * figures.overheadFactor) / SECONDS_PER_HOUR;
  const gigabytes = figures.outputBytes / BYTES_PER_GB;
  return {
    model: 'fixed',
    classes: oneClass(1, Math.ceil((coreHours * microUsdPerHour) / instance.vcpus)),
    currency: 'USD',
    startFeeMicro: book.startFeeMicroUsd,
    softwareMicro: 0,
    storageMicro: Math.ceil(gigabytes * figures.storageMonths * book.storagePerGbMonthMicroUsd),
    egressMicro: Math.ceil(gigabytes * book.egressPerGbMicroUsd),
    licenceNames: [],
  };
}

/** A job with a deposited entry has no bytes when it is priced. */
function coreSecondsOf(totalBytes: number): number {
  const bytes = totalBytes === 0 ? DEFAULT_INPUT_BYTES : totalBytes;
  if (bytes <= figures.smallUpToBytes) return figures.smallCoreSeconds;
  return bytes <= figures.mediumUpToBytes ? figures.mediumCoreSeconds : figures.largeCoreSeconds;
}
