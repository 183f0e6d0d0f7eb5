import { Context } from '@temporalio/activity';
import type { DataSource } from 'typeorm';

import type { RateSource } from '../src/adapters/rates/rates.ts';
import { ageDays, isOld } from '../src/domain/fx.ts';
import type { FxRate } from '../src/domain/fx.ts';
import { createStoredRates, recordRate } from '../src/services/prices/fx-rates.ts';

/** The activities of exchange rates, as workflows call them. */
export type RateActivities = ReturnType<typeof createRateActivities>;

/** Source of the rates, null without one, and the database that stores them. */
export interface RateDependencies {
  readonly db: DataSource;
  readonly rateSource: RateSource | null;
  /** The rate while none was ever accepted. */
  readonly bookRate: FxRate;
}

/** Makes the activity that stores what the source of exchange rates says. */
export function createRateActivities({ db, rateSource, bookRate }: RateDependencies) {
  return {
    /**
     * Stores the rate that the source gives now, and tells the operators in the log of a rate that waits for them and of a
     * rate in use that has become old. A second run stores the same rate once. @throws when the source gives no rate.
     */
    async fetchFxRate(): Promise<void> {
      if (rateSource === null) return;
      const { log } = Context.current();
      try {
        const stored = await recordRate(db, await rateSource.read(), bookRate);
        if (stored.state === 'PENDING')
          log.error('an exchange rate moved by more than 5 % and waits for dockyard admin fx accept', {
            ...stored,
          });
      } finally {
        const rate = await createStoredRates(db, bookRate).current();
        if (isOld(rate, Date.now()))
          log.error('the exchange rate is old', { ...rate, ageDays: ageDays(rate, Date.now()) });
      }
    },
  };
}
