/** How many streams of events are open in this process, for Prometheus. */
import { Gauge, type Registry } from 'prom-client';

/** Registers the metric, once per registry. */
export function registerStreamMetrics(registry: Registry, count: () => number): void {
  new Gauge({
    name: 'dockyard_event_streams',
    help: 'Streams of events that are open.',
    registers: [registry],
    collect() {
      this.set(count());
    },
  });
}
