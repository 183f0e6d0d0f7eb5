/** Metrics of the gateway about the first calls of instances, for Prometheus. */
import { Counter, type Registry } from 'prom-client';

/** Ends of a bootstrap. A credential that was used twice is counted as `twice`, and its refusal as `fenced`. */
export const BOOTSTRAP_ENDS = ['given', 'twice', 'fenced', 'forged', 'limited', 'failed'] as const;
/** An end of a bootstrap. */
export type BootstrapEnd = (typeof BOOTSTRAP_ENDS)[number];

/** Makes the counter in a registry; once per process and registry. Every end is there from the start, at 0. */
export function createBootstrapMetrics(registry: Registry): (end: BootstrapEnd) => void {
  const bootstraps = new Counter({
    name: 'dockyard_bootstraps_total',
    help: 'First calls of instances, which ask for a bearer, by their end.',
    labelNames: ['end'],
    registers: [registry],
  });
  for (const end of BOOTSTRAP_ENDS) bootstraps.inc({ end }, 0);
  return (end) => bootstraps.inc({ end });
}
