/** Metrics of a control worker about instances and their providers, for Prometheus. */
import { Counter, Histogram, type Registry } from 'prom-client';

/** From an instance on this machine to one that a cloud has to find a host for. */
const BOOT_SECONDS = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600];

/** Ends of an inquiry after an instance that lost contact. */
export const INQUIRY_ENDS = ['back', 'gone', 'silent', 'fenced'] as const;
/** End of an inquiry. */
export type InquiryEnd = (typeof INQUIRY_ENDS)[number];

/** Calls to a provider. */
export const PROVIDER_CALLS = ['prepare', 'ensure', 'describe', 'terminate', 'list', 'tools'] as const;
/** A call of a provider. */
export type ProviderCall = (typeof PROVIDER_CALLS)[number];

/** Counts what happens to instances. */
export interface InstanceMetrics {
  /** An instance made its first contact so many seconds after its provider had taken the launch. */
  booted(seconds: number): void;
  /** An inquiry after an instance that lost contact has ended. */
  inquired(end: InquiryEnd): void;
  /** A provider failed, or did not answer. */
  providerFailed(call: ProviderCall): void;
}

/** Makes the metrics in a registry; once per process and registry. Every label is there from the start, at 0. */
export function createInstanceMetrics(registry: Registry): InstanceMetrics {
  const registers = [registry];
  const boots = new Histogram({
    name: 'dockyard_instance_boot_seconds',
    help: 'Time from the launch of an instance to its first contact.',
    buckets: BOOT_SECONDS,
    registers,
  });
  const lost = new Counter({
    name: 'dockyard_contacts_lost_total',
    help: 'Instances that lost contact with their work, by how the inquiry after them ended.',
    labelNames: ['end'],
    registers,
  });
  const failures = new Counter({
    name: 'dockyard_provider_failures_total',
    help: 'Calls of the instance provider that failed, by call.',
    labelNames: ['call'],
    registers,
  });
  for (const end of INQUIRY_ENDS) lost.inc({ end }, 0);
  for (const call of PROVIDER_CALLS) failures.inc({ call }, 0);
  return {
    booted: (seconds) => boots.observe(seconds),
    inquired: (end) => lost.inc({ end }),
    providerFailed: (call) => failures.inc({ call }),
  };
}
