/** Tells Prometheus how the tools of this machine are contained. */
import { Gauge, register } from 'prom-client';

import { CONTAINMENT_KINDS } from '../../contracts/containment.ts';
import type { Containment } from '../../contracts/containment.ts';

/** Registers the gauge: 1 for the kind that is in force, 0 for every other. */
export function registerContainment({ kind: inForce }: Containment): void {
  const gauge = new Gauge({
    name: 'dockyard_tool_containment',
    help: '1 for the way in which the tools of this host are contained: bubblewrap, or process-group without a sandbox.',
    labelNames: ['kind'],
    registers: [register],
  });
  for (const kind of CONTAINMENT_KINDS) gauge.set({ kind }, kind === inForce ? 1 : 0);
}
