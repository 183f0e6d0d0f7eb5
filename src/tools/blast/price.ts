/**
 * The price of a search is fixed at admission: letters of queries times letters of the database, which is what a search
 * compares. The bytes of the files stand for their letters; the catalogue knows the letters of its databases. price.json has the figures, with their source.
 */
import { invariantBroken } from '../../domain/invariant.ts';
import { oneClass } from '../../domain/pricing.ts';
import type { Priced } from '../../domain/priced.ts';
import type { PriceBook, TaskPricing } from '../../domain/pricing.ts';
import { microUsdPerCoreSecond, pricedRecovery } from '../core-price.ts';
import type { InputSizes, PlannableRequest, PriceFigures } from '../tool.ts';
import { QUERIES } from './inputs.ts';
import { QUERY_BYTES, searchOf } from './parameters.ts';
import data from './price.json' with { type: 'json' };
import type { SearchProgram } from './program.ts';

/** The figures of the runtime model, with their source. */
export const PRICE_FIGURES: PriceFigures = data;

const BYTES_PER_GB = 1e9;
const PAIRS_PER_GIGAPAIR = 1e9;
/** Of the bytes of an estimate that does not tell, so many are queries, at most; the rest is the database. */
const ESTIMATED_QUERY_BYTES = 100_000;

/** An estimate that names no size is of 100 kB of queries and a database of 20 MB. */
export const DEFAULT_INPUT_BYTES = 20_100_000;

/** Prices a search; all tasks of a job cost the same. */
export function priceSearch(
  request: PlannableRequest,
  plan: { readonly taskCount: number },
  book: PriceBook,
  { inputs, program }: { readonly inputs: InputSizes; readonly program: SearchProgram },
): TaskPricing {
  const { queryBytes, databaseBytes } = sizesOf(request, inputs);
  const { search } = searchOf(request, program);
  const entry = book.tools[program.id] ?? {};
  const model = (name: string): number => entry[name] ?? missing(`tools.${program.id}.${name}`);
  const perGigapair = model(`secondsPerGigapair:${search}`);
  const searchSeconds = (perGigapair * queryBytes * databaseBytes) / PAIRS_PER_GIGAPAIR;
  const coreSeconds =
    (model('fixedCoreSecondsPerTask') + searchSeconds / plan.taskCount) * model('overheadFactor');
  const microUsd = coreSeconds * microUsdPerCoreSecond(book, request.recovery?.mode === 'resumable');
  const gigabytes = (queryBytes * model('outputBytesPerQueryByte')) / BYTES_PER_GB;
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

/** Picks the values of a request, and of its files, that the price of a search reads. */
export function pricedSearch(
  request: PlannableRequest,
  { inputs, program }: { readonly inputs: InputSizes; readonly program: SearchProgram },
): Priced {
  const { queryBytes, databaseBytes } = sizesOf(request, inputs);
  return {
    fields: { 'parameters.task': searchOf(request, program).search, ...pricedRecovery(request) },
    sizes: {
      'the size of the queries in bytes': queryBytes,
      'the size of the database in letters': databaseBytes,
    },
  };
}

/** The sizes of the files themselves at submit; at estimate what the request says of them. */
function sizesOf(
  { parameters }: PlannableRequest,
  { bytes, totalBytes, databaseLetters }: InputSizes,
): { queryBytes: number; databaseBytes: number } {
  const told = parameters?.[QUERY_BYTES];
  const supposed =
    told === undefined ? Math.min(ESTIMATED_QUERY_BYTES, totalBytes / 2) : Math.min(Number(told), totalBytes);
  const queryBytes = bytes?.get(QUERIES) ?? supposed;
  return { queryBytes, databaseBytes: databaseLetters ?? Math.max(0, totalBytes - queryBytes) };
}

function missing(path: string): never {
  throw invariantBroken(`the price book has no ${path}`);
}
