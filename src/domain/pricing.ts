/**
 * Prices. Amounts are integers in USD micro-units until the one conversion to pence, which rounds up for a hold and down for a
 * charge, at the exchange rate frozen in the quote. So 0 <= charge <= hold, and a charge grows with what is verified only. There
 * are two models: a fixed price for each task, by the price class of the task, and a price for the measured seconds of the
 * verified attempts. The sum due of a quote is in `charge.ts`.
 */
import { invariantBroken } from './invariant.ts';

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
        /** GPUs of the kind; absent: one where there is a kind. */
        readonly gpus?: number;
        readonly onDemandMicroUsdPerHour: number;
        readonly spotMicroUsdPerHour: number;
      }
    >
  >;
  readonly licences: Readonly<Record<string, { readonly name: string; readonly microUsdPerHour: number }>>;
  readonly tools: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** The parts of a price that both models have, in micro-units of the currency. */
interface CommonPricing {
  /** Tools are priced in USD; test tools in GBP, so that the amounts in tests do not move with the exchange rate. */
  readonly currency: 'USD' | 'GBP';
  /** Charged once per job, when at least one task is verified. */
  readonly startFeeMicro: number;
  /** Licences, storage and egress of the whole job, charged pro rata of verified tasks. */
  readonly softwareMicro: number;
  readonly storageMicro: number;
  readonly egressMicro: number;
  readonly licenceNames: readonly string[];
}

/** Tasks of one price: each of them has the price of the class, however long the task takes. */
export interface PriceClass {
  readonly class: string;
  readonly tasks: number;
  readonly perTaskMicro: number;
  /**
   * The classes of tasks that turn out to be less work than the class counts with, which is known when a task is done. The hold is
   * that of the class. Absent where there are none.
   */
  readonly less?: readonly LesserClass[];
}

/** Price of a task that turned out to be less work; never more than that of the class in which it was planned. */
export type LesserClass = Pick<PriceClass, 'class' | 'perTaskMicro'>;

/** A price that is fixed at admission, in one or more price classes. */
export interface FixedPricing extends CommonPricing {
  readonly model: 'fixed';
  readonly classes: readonly PriceClass[];
}

/** A price for the measured seconds of the verified attempt of each task. */
export interface MeasuredPricing extends CommonPricing {
  readonly model: 'measured';
  /** Micro-units for an hour of one slot; an hour, because an integer of micro-units per second would be too coarse. */
  readonly microPerHour: number;
  /** Micro-units for an hour of the licences of one slot, which its measured seconds cost beside `microPerHour`; absent: none. */
  readonly softwareMicroPerHour?: number;
  /** The expected seconds of all tasks together. */
  readonly estimatedSeconds: number;
  /** The hold in percent of the estimate. It is the ceiling of the charge unless the hold is extended. */
  readonly ceilingPercent: number;
}

/** The price that a tool asks for a job. */
export type TaskPricing = FixedPricing | MeasuredPricing;

/** A frozen offer: the amount that is held at first, and the prices from which a charge is computed. */
export interface Quote {
  readonly priceBookVersion: string;
  readonly fxRateMicro: FxRateMicro;
  /** Source of the rate, and its day (YYYY-MM-DD); absent where nothing is converted. */
  readonly fxSource?: string;
  readonly fxDate?: string;
  readonly pricing: TaskPricing;
  readonly taskCount: number;
  /** The whole price, in micro-units of `pricing.currency`; of a measured price the expected one. */
  readonly estimatedMicro: number;
  readonly heldPence: number;
}

/** Verified tasks of one price class; a class of null is the only class of the quote. */
export interface VerifiedTasks {
  readonly priceClass: string | null;
  readonly tasks: number;
  /** The measured milliseconds of these tasks together; 0 where nothing is measured. */
  readonly meteredMs: number;
  /**
   * Milliseconds of work that checkpoints of undone tasks of the class hold, where an execution pauses. Absent where there are none.
   */
  readonly keptMs?: number;
  /** Further tasks for which earlier results stand: they cost nothing, but the start fee is due. Absent where there are none. */
  readonly reused?: number;
  /** Tasks that were not done because the required control missed: of them alone the start fee is due. Absent where there are none. */
  readonly missedControl?: number;
}

/** The hold of a measured price in percent of its estimate. */
export const CEILING_PERCENT = 120;
/** The name of the class when all tasks of a job have one price. */
const ONLY_CLASS = 'task';
const MICRO = 1_000_000n;
const MICRO_PER_PENNY = 10_000n;
const WHOLE_PERCENT = 100n;
const SECONDS_PER_HOUR = 3600n;

/** The classes of a job whose tasks all have one price. */
export function oneClass(tasks: number, perTaskMicro: number): readonly PriceClass[] {
  return [{ class: ONLY_CLASS, tasks, perTaskMicro }];
}

/**
 * Makes the frozen offer for a number of tasks. The hold is the most that can be charged, in pence rounded up: the whole
 * price where prices are fixed, and the ceiling above the estimate where seconds are measured.
 * @throws a broken invariant for a figure that is no amount, and for classes that do not have all tasks.
 */
export function quote(
  priceBookVersion: string,
  fxRateMicro: FxRateMicro,
  pricing: TaskPricing,
  taskCount: number,
): Quote {
  requireFigures(pricing, { taskCount, fxRateMicro });
  return {
    priceBookVersion,
    fxRateMicro,
    pricing,
    taskCount,
    estimatedMicro: safeNumber('estimate', wholeMicro(pricing)),
    heldPence: wholeHoldPence({ pricing, taskCount, fxRateMicro }),
  };
}

/** Computes the hold of an offer that nothing limits: the whole price or the ceiling, in pence rounded up. */
export function wholeHoldPence(offer: Pick<Quote, 'pricing' | 'taskCount' | 'fxRateMicro'>): number {
  const { pricing } = offer;
  const most = wholeMicro(pricing) * percentOf(pricing) * rateOf(pricing, offer.fxRateMicro);
  return safeNumber('hold', ceilDivide(most, WHOLE_PERCENT * MICRO * MICRO_PER_PENNY));
}

/** The offer with a hold that is not above the limit of the customer; null for no limit. */
export function limitedTo(offer: Quote, limitPence: number | null): Quote {
  return limitPence === null || limitPence >= offer.heldPence ? offer : { ...offer, heldPence: limitPence };
}

/** Whether the charge depends on which tasks are verified and for how long they ran, and not on their number alone. */
export function needsVerifiedClasses(offer: Pick<Quote, 'pricing' | 'taskCount'>): boolean {
  const { pricing } = offer;
  return pricing.model === 'measured' || !isOnlyClass(pricing.classes);
}

/** Whether the number of verified tasks says all of a charge. */
export function isOnlyClass(classes: readonly PriceClass[]): boolean {
  return classes.length === 1 && classes.every(({ less = [] }) => less.length === 0);
}

/**
 * The most that a job is charged, in pence: what is held. A measured job whose tasks take longer than was estimated extends its
 * hold within the credits and limits of its account, and pauses where it may not.
 */
export function ceilingPence(offer: Pick<Quote, 'heldPence'>): number {
  return offer.heldPence;
}

/** The price of the work of all tasks without fees, storage and egress, as an estimate shows it. */
export function computeMicro(offer: Pick<Quote, 'pricing' | 'taskCount'>): number {
  return safeNumber('work', workMicro(offer.pricing));
}

/** The most that a price comes to, in micro-units of its currency. */
export function ceilingMicro(pricing: TaskPricing): bigint {
  return (wholeMicro(pricing) * percentOf(pricing)) / WHOLE_PERCENT;
}

/** The exchange rate by which an amount of an offer becomes credits, in millionths. */
export function rateMicroOf({ pricing, fxRateMicro }: Pick<Quote, 'pricing' | 'fxRateMicro'>): bigint {
  return rateOf(pricing, fxRateMicro);
}

/** The price of the licences of all tasks, as an estimate shows it: of the whole job, and by the hour. */
export function softwareMicro({ pricing }: Pick<Quote, 'pricing'>): number {
  return safeNumber('software', BigInt(pricing.softwareMicro) + hourlySoftwareMicro(pricing));
}

/** A price in units of its currency, for answers to people; calculations use the exact micro-units. */
export function microToUnits(micro: number): number {
  return micro / 1_000_000;
}

function wholeMicro(pricing: TaskPricing): bigint {
  return (
    workMicro(pricing) + hourlySoftwareMicro(pricing) + BigInt(pricing.startFeeMicro) + restMicro(pricing)
  );
}

function workMicro(pricing: TaskPricing): bigint {
  if (pricing.model === 'measured') return expectedMicro(pricing.microPerHour, pricing);
  return pricing.classes.reduce(
    (micro, { perTaskMicro, tasks }) => micro + BigInt(perTaskMicro) * BigInt(tasks),
    0n,
  );
}

function hourlySoftwareMicro(pricing: TaskPricing): bigint {
  return pricing.model === 'measured' ? expectedMicro(pricing.softwareMicroPerHour ?? 0, pricing) : 0n;
}

/** The price of the expected seconds of all tasks. */
function expectedMicro(
  microPerHour: number,
  { estimatedSeconds }: Pick<MeasuredPricing, 'estimatedSeconds'>,
): bigint {
  return ceilDivide(BigInt(microPerHour) * BigInt(estimatedSeconds), SECONDS_PER_HOUR);
}

function restMicro({ softwareMicro, storageMicro, egressMicro }: TaskPricing): bigint {
  return BigInt(softwareMicro) + BigInt(storageMicro) + BigInt(egressMicro);
}

function percentOf(pricing: TaskPricing): bigint {
  return pricing.model === 'measured' ? BigInt(pricing.ceilingPercent) : WHOLE_PERCENT;
}

function rateOf({ currency }: Pick<CommonPricing, 'currency'>, fxRateMicro: FxRateMicro): bigint {
  return currency === 'GBP' ? MICRO : BigInt(fxRateMicro);
}

/** Figures come from the tools of this release and from the price book, so a wrong one is a fault of the service. */
function requireFigures(
  pricing: TaskPricing,
  offer: { readonly taskCount: number; readonly fxRateMicro: number },
): void {
  const { startFeeMicro, softwareMicro, storageMicro, egressMicro } = pricing;
  requireAtLeast(0, { startFeeMicro, softwareMicro, storageMicro, egressMicro });
  requireAtLeast(1, { ...offer });
  if (pricing.model === 'measured') {
    const { microPerHour, softwareMicroPerHour = 0, estimatedSeconds, ceilingPercent } = pricing;
    requireAtLeast(0, { microPerHour, softwareMicroPerHour, estimatedSeconds });
    requireAtLeast(Number(WHOLE_PERCENT), { ceilingPercent });
    return;
  }
  for (const { tasks, perTaskMicro, less = [] } of pricing.classes) {
    requireAtLeast(0, { perTaskMicro });
    requireAtLeast(1, { tasks });
    for (const one of less) {
      requireAtLeast(0, { perTaskMicro: one.perTaskMicro });
      if (one.perTaskMicro > perTaskMicro)
        throw invariantBroken(`the class ${one.class} of an offer costs more than the class it is less than`);
    }
  }
  const names = pricing.classes.flatMap((one) => [one.class, ...(one.less ?? []).map((each) => each.class)]);
  if (new Set(names).size !== names.length)
    throw invariantBroken('two price classes of an offer have one name');
  const classed = sum(pricing.classes.map(({ tasks }) => tasks));
  if (classed !== offer.taskCount)
    throw invariantBroken(
      `the price classes of an offer have ${String(classed)} tasks of ${String(offer.taskCount)}`,
    );
}

function requireAtLeast(least: number, figures: Readonly<Record<string, number>>): void {
  for (const [name, figure] of Object.entries(figures)) {
    if (!Number.isSafeInteger(figure) || figure < least)
      throw invariantBroken(
        `${name} of an offer is ${String(figure)}, not an integer of ${String(least)} or more`,
      );
  }
}

function safeNumber(name: string, value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw invariantBroken(`the ${name} of an offer is too large to be exact`);
  return number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
