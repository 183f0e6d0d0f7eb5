/**
 * The metrics of Temporal's SDK on the process's own `/metrics`. The SDK serves them itself, at an address that it is given when its
 * runtime is installed: a free port of loopback, which nobody but this process asks.
 */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { TelemetryOptions } from '@temporalio/worker';
import type { Logger } from 'pino';

import { temporalLogger } from './logger.ts';

/** Answers what the SDK has counted so far, in the format of Prometheus; an empty text when the SDK does not answer. */
export type ReadSdkMetrics = () => Promise<string>;

/** The metrics of the SDK that alerts and the dashboard ask for; there are some forty more. */
export const SDK_METRICS: readonly string[] = [
  'temporal_workflow_task_execution_failed_total',
  'temporal_workflow_task_schedule_to_start_latency',
  'temporal_long_request_failure_total',
];

const READ_MS = 2_000;
/** Between the look for a free port and its use another process may have taken the port. */
const TRIES = 3;

const LOGGING = {
  forward: {},
  filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }),
} satisfies TelemetryOptions['logging'];

/** Installs the runtime of the SDK; with `hasMetrics` its metrics can be read by the function that is answered. */
export async function installRuntime(logger: Logger, hasMetrics: boolean): Promise<ReadSdkMetrics> {
  const install = (metrics?: TelemetryOptions['metrics']): void => {
    Runtime.install({
      logger: temporalLogger(logger),
      telemetryOptions: { logging: LOGGING, ...(metrics === undefined ? {} : { metrics }) },
      shutdownSignals: [],
    });
  };
  for (let tries = hasMetrics ? TRIES : 0; tries > 0; tries -= 1) {
    const bindAddress = `127.0.0.1:${String(await freePort())}`;
    try {
      install({ prometheus: { bindAddress, countersTotalSuffix: true, useSecondsForDurations: true } });
      return () => read(`http://${bindAddress}/metrics`);
    } catch (error) {
      logger.warn({ err: error }, 'the metrics of Temporal could not be served');
    }
  }
  install();
  return () => Promise.resolve('');
}

async function read(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(READ_MS) });
    return answer.ok ? await answer.text() : '';
  } catch {
    return '';
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address: AddressInfo | string | null = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
