/**
 * Prices. Amounts are integers in USD micro-units until the one conversion to pence, which rounds up for a hold and
 * down for a charge, at the exchange rate frozen in the quote. So 0 <= charge <= hold, and a charge grows with the
 * number of verified tasks only.
 */

/** An exchange rate, USD to GBP, in millionths (0.79 is 790000). */
export type FxRateMicro = number;

/** The versioned price book (`src/services/prices/price-book.json` and the figures of the tools), validated at start. */
export interface PriceBook {
  readonly version: string;
  readonly startFeeMicroUsd: number;
  readonly storagePerGbMonthMicroUsd: number;
  readonly egressPerGbMicroUsd: number;
  readonly instanceTypes: Readonly<
    Record<
      string,
      {
        readonly vcpus: number;
        readonly memoryGib: number;
        readonly gpu: string | null;
        readonly onDemandMicroUsdPerHour: number;
        readonly spotMicroUsdPerHour: number;
      }
    >
  >;
  readonly licences: Readonly<Record<string, { readonly name: string; readonly microUsdPerHour: number }>>;
  readonly tools: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/**
 * The price that a tool asks for a job, in micro-units of its currency. Every task has the same price, however long the
 * task takes. Tools are priced in USD; test tools in GBP, so that the amounts in tests do not move with the exchange
 * rate.
 */
export interface TaskPricing {
  readonly currency: 'USD' | 'GBP';
  readonly perTaskMicro: number;
  /** Charged once per job, when at least one task is verified. */
  readonly startFeeMicro: number;
  /** Licences, storage and egress of the whole job, charged pro rata of verified tasks. */
  readonly softwareMicro: number;
  readonly storageMicro: number;
  readonly egressMicro: number;
  readonly licenceNames: readonly string[];
}

/** A frozen offer: the amount that is held, and the prices from which a charge is computed. */
export interface Quote {
  readonly priceBookVersion: string;
  readonly fxRateMicro: FxRateMicro;
  readonly pricing: TaskPricing;
  readonly taskCount: number;
  /** The whole price, in micro-units of `pricing.currency`. */
  readonly estimatedMicro: number;
  readonly heldPence: number;
}

const MICRO = 1_000_000n;
const MICRO_PER_PENNY = 10_000n;

/** Makes the frozen offer for a number of tasks; the hold is the whole price, in pence rounded up. */
export function quote(
  priceBookVersion: string,
  fxRateMicro: FxRateMicro,
  pricing: TaskPricing,
  taskCount: number,
): Quote {
  const whole = wholeMicro(pricing, taskCount);
  return {
    priceBookVersion,
    fxRateMicro,
    pricing,
    taskCount,
    estimatedMicro: Number(whole),
    heldPence: Number(ceilDivide(whole * rateOf(pricing, fxRateMicro), MICRO * MICRO_PER_PENNY)),
  };
}

/**
 * The price of `verified` of the quote's tasks, in pence rounded down; 0 when no task is verified. `startFeeDue` is
 * false when an earlier execution of the job has charged the start fee.
 */
export function chargePence(offer: Quote, verified: number, startFeeDue = true): number {
  const due = dueMicro(offer, verified, startFeeDue);
  return Number((due * rateOf(offer.pricing, offer.fxRateMicro)) / (MICRO * MICRO_PER_PENNY));
}

/**
 * The price of `verified` of the quote's tasks before the conversion to pence, in micro-units of the offer's currency,
 * as a status shows it. The result is never above the estimate, because tasks beyond the offered number are not
 * charged.
 */
export function accruedMicro(offer: Quote, verified: number): number {
  return Number(dueMicro(offer, verified, true));
}

/** The one sum that a charge rounds and a status shows. */
function dueMicro({ pricing, taskCount }: Quote, verified: number, startFeeDue: boolean): bigint {
  const tasks = Math.min(Math.max(verified, 0), taskCount);
  if (tasks === 0) return 0n;
  const rest = BigInt(pricing.softwareMicro + pricing.storageMicro + pricing.egressMicro);
  return (
    BigInt(pricing.perTaskMicro) * BigInt(tasks) +
    (startFeeDue ? BigInt(pricing.startFeeMicro) : 0n) +
    (rest * BigInt(tasks)) / BigInt(taskCount)
  );
}

/** A price in units of its currency, for answers to people; calculations use the exact micro-units. */
export function microToUnits(micro: number): number {
  return micro / 1_000_000;
}

function wholeMicro(pricing: TaskPricing, taskCount: number): bigint {
  return (
    BigInt(pricing.perTaskMicro) * BigInt(taskCount) +
    BigInt(pricing.startFeeMicro + pricing.softwareMicro + pricing.storageMicro + pricing.egressMicro)
  );
}

function rateOf(pricing: TaskPricing, fxRateMicro: FxRateMicro): bigint {
  return pricing.currency === 'GBP' ? MICRO : BigInt(fxRateMicro);
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
