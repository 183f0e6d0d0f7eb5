/** The differences that reconciliation has found and that have not ended, read when Prometheus asks. */
import { Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

import { COMPARISON_NAMES, countDifferences } from '../../services/reconciliation/index.ts';

/** Registers the metric, once per registry; a database that does not answer gives no value. */
export function registerReconciliationMetrics(registry: Registry, db: DataSource): void {
  new Gauge({
    name: 'dockyard_reconciliation_differences',
    help: 'Differences between the books and the world outside that have not ended, by check.',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = await countDifferences(db).catch(() => null);
      if (counts === null) return;
      for (const check of COMPARISON_NAMES) this.set({ check }, counts.get(check) ?? 0);
    },
  });
}
