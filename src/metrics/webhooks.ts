/** Counts what comes of the messages of webhooks, for Prometheus. */
import { Counter, type Registry } from 'prom-client';

import { OUTBOUND_WORDS } from '../domain/codes/outbound.ts';
import type { OutboundFault } from '../domain/outbound.ts';

/** Counts a try by its fault; null when the message was taken. */
export type CountTry = (fault: OutboundFault | null) => void;

const TAKEN = 'TAKEN';

/** Makes the counter in a registry; once per process and registry. Every end is there from the start, at 0. */
export function createTryMetrics(registry: Registry): CountTry {
  const counter = new Counter({
    name: 'dockyard_webhook_tries_total',
    help: 'Messages that were sent to webhooks, by what came of them.',
    labelNames: ['end'],
    registers: [registry],
  });
  for (const end of [TAKEN, ...Object.keys(OUTBOUND_WORDS)]) counter.inc({ end }, 0);
  return (fault) => counter.inc({ end: fault ?? TAKEN });
}
