/**
 * Price of a core, by which tools turn seconds into prices: those of their runtime models at the price of the machine that the models
 * were made on, and measured ones at that of the machine that is planned.
 */
import type { JobPlan } from '../contracts/job.ts';
import { invariantBroken } from '../domain/invariant.ts';
import type { Priced } from '../domain/priced.ts';
import type { MeasuredPricing, PriceBook } from '../domain/pricing.ts';
import type { PlannableRequest } from './tool.ts';

/** The kind of instance whose vCPUs the runtime models price. */
const INSTANCE_TYPE = 'c7i.xlarge';
const SECONDS_PER_HOUR = 3600;

/**
 * The price of a core for a second; a resumable job may run on spot instances and has the price of those,
 * which is that of others in the book that an installation without spot instances quotes by.
 * @throws a broken invariant when the price book lacks the instance.
 */
export function microUsdPerCoreSecond(book: PriceBook, isSpot: boolean): number {
  return perHour(book, INSTANCE_TYPE, isSpot) / typeOf(book, INSTANCE_TYPE).vcpus / SECONDS_PER_HOUR;
}

/**
 * The price of a second of a planned vCPU: the share that it has of the machine by which the planned class is priced, with all that the
 * machine has beside it. Where there are no classes, the price of a core of the runtime models.
 * @throws a broken invariant when the price book lacks the instance.
 */
export function microUsdPerPlannedSecond(
  book: PriceBook,
  { instanceType, vcpusPerInstance }: Pick<JobPlan, 'instanceType' | 'vcpusPerInstance'>,
  isSpot: boolean,
): number {
  return instanceType === undefined
    ? microUsdPerCoreSecond(book, isSpot)
    : perHour(book, instanceType, isSpot) / vcpusPerInstance / SECONDS_PER_HOUR;
}

function perHour(book: PriceBook, name: string, isSpot: boolean): number {
  const { spotMicroUsdPerHour, onDemandMicroUsdPerHour } = typeOf(book, name);
  return isSpot ? spotMicroUsdPerHour : onDemandMicroUsdPerHour;
}

function typeOf(book: PriceBook, name: string): PriceBook['instanceTypes'][string] {
  const instance = book.instanceTypes[name];
  if (instance === undefined) throw invariantBroken(`the price book has no instanceTypes.${name}`);
  return instance;
}

/** The field by which the price of a core is chosen, with its default. */
export function pricedRecovery({ recovery }: Pick<PlannableRequest, 'recovery'>): Priced['fields'] {
  return { 'recovery.mode': recovery?.mode ?? 'standard' };
}

/**
 * Finds what software costs by the hour of a slot, besides the machine: its share of the one seat that an instance takes, and nothing
 * where the book has no licence of the name.
 */
export function licenceOf(
  { licences }: Pick<PriceBook, 'licences'>,
  software: string,
  { slotsPerInstance }: Pick<JobPlan, 'slotsPerInstance'>,
): Pick<MeasuredPricing, 'softwareMicroPerHour' | 'licenceNames'> {
  const licence = licences[software];
  return licence === undefined
    ? { licenceNames: [] }
    : {
        licenceNames: [licence.name],
        softwareMicroPerHour: Math.ceil(licence.microUsdPerHour / slotsPerInstance),
      };
}
