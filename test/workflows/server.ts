/** The Temporal server of the workflow tests, and the log of their workers. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { Connection } from '@temporalio/client';
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';

import { SEARCH_ATTRIBUTES } from '../../src/stack/temporal.ts';
import { findTool } from '../../src/stack/tools.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

let isQuiet = false;

/** Workers log the failures that a test provokes, so their log is quiet; a runtime that another file has installed stays. */
export function quietRuntime(): void {
  if (isQuiet) return;
  isQuiet = true;
  const silent = (): void => undefined;
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };
  try {
    const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
    Runtime.install({
      logger,
      shutdownSignals: [],
      telemetryOptions: { logging: { forward: {}, filter } },
    });
  } catch {
    // Another file of this process has installed a runtime.
  }
}

/** Starts a Temporal server in memory; `stop` ends it at once. */
export async function startServer(): Promise<{ address: string; stop: () => Promise<void> }> {
  const [port, uiPort] = [await freePort(), await freePort()];
  const attributes = Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => [
    '--search-attribute',
    `${name}=${type}`,
  ]);
  const child = spawn(
    findTool('temporal', process.env),
    [
      ...['server', 'start-dev', '--disable-config-file', '--disable-config-env', '--ip', '127.0.0.1'],
      ...['--port', String(port), '--ui-port', String(uiPort), '--log-level', 'never', ...attributes],
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const address = `127.0.0.1:${port}`;
  await until(
    'Temporal answers',
    async () => {
      const connection = await Connection.connect({ address, connectTimeout: '1s' }).catch(() => null);
      const namespace = await connection?.workflowService
        .describeNamespace({ namespace: 'default' })
        .catch(() => null);
      await connection?.close();
      if (namespace == null) await sleep(50);
      return namespace != null;
    },
    30_000,
  );
  return {
    address,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
