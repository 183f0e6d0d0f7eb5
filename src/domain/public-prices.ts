/**
 * Prices for everybody: the published form of a price book, and a rough estimate from a few figures without files and without an
 * account. With an account one estimates the job itself, which is exact.
 */
import { AppError } from './errors.ts';
import type { FxRate } from './fx.ts';
import { microToUnits } from './pricing.ts';
import type { PriceBook } from './pricing.ts';
import type { PublicEstimateResponse } from './answers.ts';

/** Source of a figure, and the day on which it was taken. */
export interface PublicOrigin {
  readonly source: string;
  readonly date: string;
}

/** The fields of POST /public/estimate, defaults filled in. */
export interface PublicEstimateRequest {
  readonly mode: 'animation' | 'still';
  readonly jobType: 'render' | 'simulation';
  readonly durationMinutes: number;
  readonly durationSeconds: number;
  readonly fps: number;
  readonly imageCount: number;
  readonly renderTimeMinutes: number;
  readonly hardware: string;
  readonly software: string;
  readonly region: string;
  readonly datasetSizeTB: number;
}

/** The book of an estimate: prices, where they are good, and how large a frame is. */
export interface EstimateBook extends PriceBook {
  readonly regions: readonly string[];
  readonly frameBytes: number;
}

const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;
const GB_PER_TB = 1000;
const BYTES_PER_GB = 1e9;
const MICRO = 1_000_000;

/**
 * The rough price of some frames, images or tasks on one kind of hardware; without any there is nothing to pay.
 * @throws VALIDATION_ERROR for hardware, software or a region that is not known, with those that are.
 */
export function publicEstimate(
  request: PublicEstimateRequest,
  book: EstimateBook,
  fx: FxRate,
): PublicEstimateResponse {
  const hardware = known('hardware', request.hardware, Object.keys(book.instanceTypes));
  known('region', request.region, book.regions);
  const software = known('software', request.software, [
    ...new Set([...Object.keys(book.licences), ...Object.keys(book.tools)]),
  ]);
  const rate = book.instanceTypes[hardware]?.onDemandMicroUsdPerHour ?? 0;
  const licence = book.licences[software];
  const totalFrames = countOf(request);
  const hours = (totalFrames * request.renderTimeMinutes) / MINUTES_PER_HOUR;
  const totalSizeGB = sizeOf(request, totalFrames, book.frameBytes);
  const micro = {
    compute: Math.round(hours * rate),
    software: Math.round(hours * (licence?.microUsdPerHour ?? 0)),
    storage: Math.round(totalSizeGB * book.storagePerGbMonthMicroUsd),
    egress: Math.round(totalSizeGB * book.egressPerGbMicroUsd),
    startFee: totalFrames === 0 ? 0 : book.startFeeMicroUsd,
  };
  const total = Object.values(micro).reduce((sum, part) => sum + part, 0);
  const fee = micro.software > 0 && licence !== undefined ? [licence.name] : [];
  return {
    estimatedCost: microToUnits(total),
    estimatedCostGbp: microToUnits(Math.round((total * fx.rateMicro) / MICRO)),
    currency: 'USD',
    creditCurrency: 'GBP',
    fxRate: microToUnits(fx.rateMicro),
    fxSource: fx.source,
    fxDate: fx.date,
    priceBookVersion: book.version,
    hasLicenseFee: fee.length > 0,
    licenseNames: fee,
    breakdown: {
      compute: microToUnits(micro.compute),
      software: microToUnits(micro.software),
      storage: microToUnits(micro.storage),
      egress: microToUnits(micro.egress),
      startFee: microToUnits(micro.startFee),
    },
    meta: {
      totalFrames,
      totalSizeGB,
      variableRates: { hardwareRate: microToUnits(rate), egressRate: microToUnits(book.egressPerGbMicroUsd) },
    },
  };
}

/** Frames of an animation; images of a still; tasks of a simulation. */
function countOf(request: PublicEstimateRequest): number {
  const { jobType, mode, durationMinutes, durationSeconds, fps, imageCount } = request;
  if (jobType === 'simulation' || mode === 'still') return Math.ceil(imageCount);
  return Math.round((durationMinutes * SECONDS_PER_MINUTE + durationSeconds) * fps);
}

/** A simulation has the size of its data, a render that of its frames. */
function sizeOf(
  { jobType, datasetSizeTB }: PublicEstimateRequest,
  count: number,
  frameBytes: number,
): number {
  if (count === 0) return 0;
  return jobType === 'simulation' ? datasetSizeTB * GB_PER_TB : (count * frameBytes) / BYTES_PER_GB;
}

function known(field: string, value: string, names: readonly string[]): string {
  if (names.includes(value)) return value;
  throw new AppError('VALIDATION_ERROR', `${field}: is not known here. Send one of ${names.join(', ')}.`);
}
