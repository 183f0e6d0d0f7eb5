/** Whether the API reaches what it depends on, for Prometheus: the same look as `/readyz`. */
import { Gauge, type Registry } from 'prom-client';
import type { HealthReport } from '../../services/health.ts';

/** Registers the metric, once per registry. */
export function registerDependencyMetrics(registry: Registry, check: () => Promise<HealthReport>): void {
  new Gauge({
    name: 'dockyard_dependency_ready',
    help: 'Whether the process reaches a system that it depends on: 1, else 0.',
    labelNames: ['dependency'],
    registers: [registry],
    async collect() {
      const { dependencies } = await check();
      for (const [dependency, { ok }] of Object.entries(dependencies)) this.set({ dependency }, ok ? 1 : 0);
    },
  });
}
