/**
 * A structure has one price, fixed at admission by the size of its file; price.json has the figures, with their sources.
 */
import { oneClass } from '../../domain/pricing.ts';
import type { PriceBook, TaskPricing } from '../../domain/pricing.ts';
import { microUsdPerCoreSecond } from '../core-price.ts';
import type { InputSizes, PlannableRequest } from '../tool.ts';
import priceFigures from './price.json' with { type: 'json' };

const BYTES_PER_GB = 1e9;

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
  const coreSeconds = coreSecondsOf(totalBytes) * figures.overheadFactor;
  const microUsd = coreSeconds * microUsdPerCoreSecond(book, request.recovery?.mode === 'resumable');
  const gigabytes = figures.outputBytes / BYTES_PER_GB;
  return {
    model: 'fixed',
    classes: oneClass(1, Math.ceil(microUsd)),
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
