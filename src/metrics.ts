/**
 * Metrics of the HTTP requests that a process answers, for Prometheus. Labels are few and closed: an operation's name and a
 * status, never a path, a key or an account, so that no caller can make the number of series grow.
 */
import type { ServerResponse } from 'node:http';

import { Gauge, Histogram, type Registry } from 'prom-client';

/** Up to the longest that a call may be held back. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** End of a request: its answer's status, or null when the caller left before the answer was out. */
export interface RequestEnd {
  /** Null when the request met no operation. */
  readonly operation: string | null;
  readonly status: number | null;
}

/** Counts requests. */
export interface RequestMetrics {
  /** Counts a request that has come in; to be called with its end. */
  begin(): (end: RequestEnd) => void;
}

/** Counts a request from here to the end of its answer, or to the moment when the caller is gone. */
export function countRequest(
  metrics: RequestMetrics,
  response: ServerResponse,
  operation: () => string | null,
): void {
  const end = metrics.begin();
  // An answer is closed once, so the listener needs no wrapper that takes the listener away.
  response.on('close', () => {
    end({ operation: operation(), status: response.writableFinished ? response.statusCode : null });
  });
}

/** Makes the metrics in a registry; once per process and registry. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const durations = new Histogram({
    name: 'dockyard_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const series = createSeries(durations);
  const inFlight = new Gauge({
    name: 'dockyard_http_requests_in_flight',
    help: 'Requests that are being answered now.',
    registers: [registry],
  });
  return {
    begin() {
      const startedAt = performance.now();
      inFlight.inc();
      return ({ operation, status }) => {
        inFlight.dec();
        series(operation ?? 'none', status).observe((performance.now() - startedAt) / 1000);
      };
    },
  };
}

type Series = ReturnType<Histogram<'operation' | 'status'>['labels']>;

/** Finds the series of an operation and a status; the library would put the labels together anew for every request. */
function createSeries(durations: Histogram<'operation' | 'status'>) {
  const known = new Map<string, Map<number | null, Series>>();
  return (operation: string, status: number | null): Series => {
    const ofOperation = known.get(operation) ?? new Map<number | null, Series>();
    const found =
      ofOperation.get(status) ?? durations.labels(operation, status === null ? 'aborted' : String(status));
    ofOperation.set(status, found);
    known.set(operation, ofOperation);
    return found;
  };
}

/** Counts nothing, for an application whose numbers nobody reads. */
export const NO_METRICS: RequestMetrics = { begin: () => () => undefined };
