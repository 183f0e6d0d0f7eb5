/** The local compute host: runs instances on this machine for the control side. */
import { fileURLToPath } from 'node:url';

import { NativeConnection, Runtime, makeTelemetryFilterString } from '@temporalio/worker';

import { findSessionTool } from '../instance/session-tools.ts';
import { ComputeHost } from '../local-host/host.ts';
import { serveHost } from '../local-host/server.ts';
import { createInProcessRunner } from '../local-host/inprocess-runner.ts';
import { createProcessRunner } from '../local-host/process-runner.ts';
import type { InstanceRunner } from '../local-host/runner.ts';
import { loadConfig } from '../config.ts';
import { exitWithParent } from '../stack/parent-watch.ts';
import { createToolRegistry } from '../tools/registry.ts';
import { guestEnvironment } from './process/guest-environment.ts';
import { serveHealth } from './process/health-server.ts';
import { keepCompiledModules } from './process/compile-cache.ts';
import { createLogger, temporalLogger } from './process/logger.ts';

const config = loadConfig('compute');
const logger = createLogger('compute', config.logLevel);
exitWithParent();

const host = await ComputeHost.open({
  folder: config.computeDir,
  runner: config.computeMode === 'inprocess' ? inProcessRunner() : processRunner(),
  log: logger,
  onChange: (instances) => {
    if (process.connected) process.send?.({ type: 'instances', instances });
  },
});
const server = await serveHost(host, {
  host: config.computeHost,
  port: config.computePort,
  token: config.computeToken,
  onError: (error) => logger.error({ err: error }, 'a call failed'),
});
const health = await serveHealth(config, () => Promise.resolve());
logger.info({ port: server.port, mode: config.computeMode }, 'compute host started');
keepCompiledModules();

let isStopping = false;
const stop = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  await host.close();
  health.close();
  await server.close();
  process.exit(0);
};
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());

function processRunner(): InstanceRunner {
  return createProcessRunner({
    entryPoint: fileURLToPath(new URL('instance.ts', import.meta.url)),
    environment: guestEnvironment(process.env),
  });
}

function inProcessRunner(): InstanceRunner {
  Runtime.install({
    logger: temporalLogger(logger),
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }) },
    },
    shutdownSignals: [],
  });
  const tools = createToolRegistry({ testTools: config.testTools });
  const installation = { python: config.sciencePython || null, ccd: config.ccdPath || null };
  let shared: Promise<NativeConnection> | null = null;
  const connect = (): Promise<NativeConnection> => {
    shared ??= NativeConnection.connect({ address: config.temporalAddress }).catch((error: unknown) => {
      shared = null;
      throw error;
    });
    return shared;
  };
  return createInProcessRunner({
    gatewayUrl: config.gatewayUrl,
    contactSeconds: config.contactSeconds,
    findTool: findSessionTool(tools, installation),
    connect,
    temporalNamespace: config.temporalNamespace,
    log: logger,
  });
}
