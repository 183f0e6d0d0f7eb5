/** The age of the exchange rate and the rates that wait for an operator, read when Prometheus asks. */
import { Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

import { ageDays } from '../../domain/fx.ts';
import type { FxRate } from '../../domain/fx.ts';
import { countWaiting, createStoredRates } from '../../services/prices/fx-rates.ts';

/** Registers the metrics, once per registry; a database that does not answer gives no value. */
export function registerRateMetrics(registry: Registry, db: DataSource, bookRate: FxRate): void {
  const rates = createStoredRates(db, bookRate);
  const of = (name: string, help: string, read: () => Promise<number>): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.remove();
        const value = await read().catch(() => null);
        if (value !== null) this.set(value);
      },
    });
  };
  of('dockyard_fx_rate_age_days', 'Whole days since the date of the exchange rate in use.', async () =>
    ageDays(await rates.current(), Date.now()),
  );
  of('dockyard_fx_rates_waiting', 'Exchange rates that wait for an operator, because they jumped.', () =>
    countWaiting(db),
  );
}
