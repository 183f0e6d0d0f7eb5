/** Price of a core, by which tools turn seconds of their runtime models into prices. */
import { invariantBroken } from '../domain/invariant.ts';
import type { Priced } from '../domain/priced.ts';
import type { MeasuredPricing, PriceBook } from '../domain/pricing.ts';
import type { PlannableRequest } from './tool.ts';

/** The kind of instance whose vCPUs the runtime models price. */
const INSTANCE_TYPE = 'c7i.xlarge';

/**
 * The price of a core for a second; a resumable job may run on spot instances and has the price of those,
 * which is that of others in the book that an installation without spot instances quotes by.
 * @throws a broken invariant when the price book lacks the instance.
 */
export function microUsdPerCoreSecond(book: PriceBook, isSpot: boolean): number {
  const instance = book.instanceTypes[INSTANCE_TYPE];
  if (instance === undefined) throw invariantBroken(`the price book has no instanceTypes.${INSTANCE_TYPE}`);
  return (isSpot ? instance.spotMicroUsdPerHour : instance.onDemandMicroUsdPerHour) / instance.vcpus / 3600;
}

/** The field by which the price of a core is chosen, with its default. */
export function pricedRecovery({ recovery }: Pick<PlannableRequest, 'recovery'>): Priced['fields'] {
  return { 'recovery.mode': recovery?.mode ?? 'standard' };
}

/** Finds what software costs by the hour of a slot, besides the machine: nothing where the book has no licence of the name. */
export function licenceOf(
  { licences }: Pick<PriceBook, 'licences'>,
  software: string,
): Pick<MeasuredPricing, 'softwareMicroPerHour' | 'licenceNames'> {
  const licence = licences[software];
  return licence === undefined
    ? { licenceNames: [] }
    : { licenceNames: [licence.name], softwareMicroPerHour: licence.microUsdPerHour };
}
