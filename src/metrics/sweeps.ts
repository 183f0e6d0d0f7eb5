/** Counts the steps of the sweep that failed, for Prometheus. */
import { Counter, type Registry } from 'prom-client';

/** The steps of a round; each provider's instances count as one step, so that the list is closed. */
const STEPS = [
  'instances',
  'staging',
  'requests',
  'uploads',
  'idempotency keys',
  'sessions and codes',
  'payments',
  'refunds',
  'events',
  'turns at files',
  'inspections',
  'databases',
  'other',
] as const;

/** Counts a step that failed, by its name. */
export type CountUnswept = (step: string) => void;

/** Makes the counter in a registry; once per process and registry. Every step is there from the start, at 0. */
export function createSweepMetrics(registry: Registry): CountUnswept {
  const counter = new Counter({
    name: 'dockyard_sweep_failures_total',
    help: 'Steps of the sweep that failed, by step.',
    labelNames: ['step'],
    registers: [registry],
  });
  for (const step of STEPS) counter.inc({ step }, 0);
  return (name) => {
    const step = name.startsWith('instances of ') ? 'instances' : name;
    counter.inc({ step: STEPS.find((known) => known === step) ?? 'other' });
  };
}
