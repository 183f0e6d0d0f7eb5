import { rates } from './lib/activities.ts';

/** One round that stores the exchange rate of the source, started by a schedule. The next round makes up for a failed one. */
export async function fetchFxRate(): Promise<void> {
  await rates.fetchFxRate();
}
