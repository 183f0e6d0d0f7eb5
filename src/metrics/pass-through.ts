/** Metrics of the gateway about the calls of Temporal that instances make through it, for Prometheus. */
import { Counter, Gauge, type Registry } from 'prom-client';

/** The calls of a worker that runs activities; every other call is `other`. */
export const PASSED_CALLS = [
  'GetSystemInfo',
  'DescribeNamespace',
  'PollActivityTaskQueue',
  'RecordActivityTaskHeartbeat',
  'RespondActivityTaskCompleted',
  'RespondActivityTaskFailed',
  'RespondActivityTaskCanceled',
  'ShutdownWorker',
] as const;
/** A call that passes. */
export type PassedCall = (typeof PASSED_CALLS)[number];

/** Why a call is refused. */
export const REFUSAL_REASONS = [
  ...(['bearer', 'method', 'namespace', 'queue'] as const),
  ...(['token', 'fenced', 'message', 'polls'] as const),
] as const;
/** A reason of a refusal. */
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** End of a call that was let through. */
export type CallEnd = 'answered' | 'failed' | 'unreachable' | 'left';

/** Counts calls. */
export interface PassThroughMetrics {
  refused(call: PassedCall | 'other', reason: RefusalReason): void;
  ended(call: PassedCall, end: CallEnd): void;
  /** How many polls are held now. */
  polls(held: number): void;
}

/** Makes the metrics in a registry; once per process and registry. Every call and reason is there from the start, at 0. */
export function createPassThroughMetrics(registry: Registry): PassThroughMetrics {
  const refusals = new Counter({
    name: 'dockyard_pass_through_refusals_total',
    help: 'Calls of Temporal by instances that the gateway refused, by call and reason.',
    labelNames: ['call', 'reason'],
    registers: [registry],
  });
  const calls = new Counter({
    name: 'dockyard_pass_through_calls_total',
    help: 'Calls of Temporal by instances that the gateway passed on, by call and end.',
    labelNames: ['call', 'end'],
    registers: [registry],
  });
  const held = new Gauge({
    name: 'dockyard_pass_through_polls',
    help: 'Polls of instances that the gateway holds now.',
    registers: [registry],
  });
  // A rate needs to have seen the series before its first refusal.
  for (const call of [...PASSED_CALLS, 'other'])
    for (const reason of REFUSAL_REASONS) refusals.inc({ call, reason }, 0);
  return {
    refused: (call, reason) => refusals.inc({ call, reason }),
    ended: (call, end) => calls.inc({ call, end }),
    polls: (count) => held.set(count),
  };
}

/** Counts nothing, for a gateway whose numbers nobody reads. */
export const NO_PASS_THROUGH_METRICS: PassThroughMetrics = {
  refused: () => undefined,
  ended: () => undefined,
  polls: () => undefined,
};
