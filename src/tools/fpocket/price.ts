/**
 * A structure has one price, fixed at admission by the size of its file; price.json has the figures, with their sources.
 */
import { oneClass } from '../../domain/pricing.ts';
import type { Priced } from '../../domain/priced.ts';
import type { PriceBook, TaskPricing } from '../../domain/pricing.ts';
import { microUsdPerCoreSecond, pricedRecovery } from '../core-price.ts';
import type { InputSizes, PlannableRequest } from '../tool.ts';
import priceFigures from './price.json' with { type: 'json' };

const BYTES_PER_GB = 1e9;

/** Figures of the tool in the price book. */
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
  const coreSeconds = sizeOf(totalBytes).coreSeconds * figures.overheadFactor;
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

/** Picks the values of a request that the price reads: a quote covers any file of up to the largest size of its price. */
export function pricedPockets(
  request: PlannableRequest,
  { totalBytes }: Pick<InputSizes, 'totalBytes'>,
): Priced {
  return {
    fields: pricedRecovery(request),
    sizes: { 'the size of the structure in bytes': sizeOf(totalBytes).upToBytes },
  };
}

/** The sizes that have prices of their own; a job with a deposited entry has no bytes when it is priced. */
function sizeOf(totalBytes: number): { readonly upToBytes: number; readonly coreSeconds: number } {
  const bytes = totalBytes === 0 ? DEFAULT_INPUT_BYTES : totalBytes;
  const { smallUpToBytes, mediumUpToBytes } = figures;
  if (bytes <= smallUpToBytes) return { upToBytes: smallUpToBytes, coreSeconds: figures.smallCoreSeconds };
  if (bytes <= mediumUpToBytes) return { upToBytes: mediumUpToBytes, coreSeconds: figures.mediumCoreSeconds };
  return { upToBytes: Number.MAX_SAFE_INTEGER, coreSeconds: figures.largeCoreSeconds };
}
