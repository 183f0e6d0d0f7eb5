/**
 * Costs of an instance for the operator by the price book: the rent of its machine, by type and market, from its launch to its
 * end. A type that the book does not have costs nothing that is known, as a process of this machine does.
 */
import type { PriceBook } from '../../domain/pricing.ts';

/** An instance, as far as its costs depend on it. */
export interface RentedInstance {
  readonly instanceType: string | null;
  readonly market: 'ON_DEMAND' | 'SPOT';
  readonly launchedAt: Date;
  readonly terminatedAt: Date | null;
}

/** The costs of an instance, in millionths of a US dollar; null where the price book does not know the type. */
export interface InstanceCost {
  readonly ageSeconds: number;
  readonly costMicroUsd: number | null;
  /** Cost of a whole day; null for an instance that has ended, too. */
  readonly costPerDayMicroUsd: number | null;
}

const MS_PER_HOUR = 3_600_000;

/** The costs of an instance up to now, or to its end. */
export function costOf(
  { instanceType, market, launchedAt, terminatedAt }: RentedInstance,
  book: Pick<PriceBook, 'instanceTypes'>,
  now: Date,
): InstanceCost {
  const livedMs = Math.max(0, (terminatedAt ?? now).getTime() - launchedAt.getTime());
  const type = instanceType === null ? undefined : book.instanceTypes[instanceType];
  const perHour = market === 'SPOT' ? type?.spotMicroUsdPerHour : type?.onDemandMicroUsdPerHour;
  return {
    ageSeconds: Math.round(livedMs / 1000),
    costMicroUsd: perHour === undefined ? null : Math.round((perHour * livedMs) / MS_PER_HOUR),
    costPerDayMicroUsd: perHour === undefined || terminatedAt !== null ? null : perHour * 24,
  };
}
