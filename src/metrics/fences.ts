/** Metrics of the gateway about instances that it refuses, for Prometheus. */
import { Counter, type Registry } from 'prom-client';

/** Calls of instances to the gateway. */
export const FENCED_CALLS = ['claim', 'meter', 'signInputs', 'signUploads', 'contact', 'storeLog'] as const;
/** A call of an instance. */
export type FencedCall = (typeof FENCED_CALLS)[number];

/** Counts refusals. */
export interface FenceMetrics {
  /** A call of a fenced instance was refused. */
  refused(call: FencedCall): void;
  /** An instance that was given up as lost has answered after all. */
  answeredLate(): void;
}

/** Makes the metrics in a registry; once per process and registry. Every call is there from the start, at 0. */
export function createFenceMetrics(registry: Registry): FenceMetrics {
  const refusals = new Counter({
    name: 'dockyard_fence_refusals_total',
    help: 'Calls of fenced instances that the gateway refused, by call.',
    labelNames: ['call'],
    registers: [registry],
  });
  const late = new Counter({
    name: 'dockyard_false_recoveries_total',
    help: 'Instances that were replaced as lost and contacted the gateway afterwards.',
    registers: [registry],
  });
  for (const call of FENCED_CALLS) refusals.inc({ call }, 0);
  return { refused: (call) => refusals.inc({ call }), answeredLate: () => late.inc() };
}
