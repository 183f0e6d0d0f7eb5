/** The local compute host: runs instances on this machine for the control side. */
import { fileURLToPath } from 'node:url';

import { Runtime, makeTelemetryFilterString } from '@temporalio/worker';

import { connectThroughGateway } from '../adapters/temporal/native.ts';
import type { GpuFacts } from '../contracts/local-host.ts';
import { describeGpus, gpusOfMachine } from '../instance/gpus.ts';
import { findContainment } from '../instance/sandbox.ts';
import { findSessionTool } from '../instance/session-tools.ts';
import { ComputeHost } from '../local-host/host.ts';
import { serveHost } from '../local-host/server.ts';
import { createInProcessRunner } from '../local-host/inprocess-runner.ts';
import { createProcessRunner } from '../local-host/process-runner.ts';
import type { InstanceRunner } from '../local-host/runner.ts';
import { loadConfig } from '../config.ts';
import { exitWithParent, sayListening } from '../stack/parent-watch.ts';
import { cacheHome, packsFolder } from '../packs/cache.ts';
import { ToolWatch } from '../local-host/tool-watch.ts';
import { createToolRegistry } from '../tools/registry.ts';
import { registerContainment } from './process/containment-metrics.ts';
import { guestEnvironment } from './process/guest-environment.ts';
import { serveHealth } from './process/health-server.ts';
import { endWhenOnlyCompiling, keepCompiledModules } from './process/compile-cache.ts';
import { temporalLogger } from './process/logger.ts';
import { openTracedLogger } from './process/traced-logger.ts';

/** How often the files of packs are looked at. */
const LOOK_SECONDS = 5;

endWhenOnlyCompiling();
const config = loadConfig('compute');
const { logger, tracing } = await openTracedLogger('compute', config);
exitWithParent();
const tools = createToolRegistry({ testTools: config.testTools });
const packPlaces = { folder: packsFolder(process.env), environment: process.env };

const containment = await findContainment(packPlaces);
registerContainment(containment);
if (containment.kind === 'bubblewrap') logger.info({ containment }, 'tools run in a sandbox');
else logger.warn({ containment }, 'tools run without a sandbox');

const host = await ComputeHost.open({
  folder: config.computeDir,
  runner: config.computeMode === 'inprocess' ? inProcessRunner() : processRunner(),
  containment,
  gpus: gpusOfMachine(),
  spotPlaces: config.spotPlaces,
  log: logger,
  onChange: (instances) => {
    if (process.connected) process.send?.({ type: 'instances', instances });
  },
});
let gpus: readonly GpuFacts[] = [];
void describeGpus().then((found) => {
  gpus = found;
  if (gpus.length > 0) logger.info({ gpus }, 'this machine has GPUs');
});
const watch = new ToolWatch({
  tools: tools.ids().map((id) => tools.find(id)),
  places: packPlaces,
  lookSeconds: LOOK_SECONDS,
  log: logger,
});
const server = await serveHost(host, {
  host: config.computeHost,
  port: config.computePort,
  token: config.computeToken,
  tools: () => watch.reports(),
  containment,
  gpus: () => gpus,
  onError: (error) => logger.error({ err: error }, 'a call failed'),
  tracing,
});
const health = await serveHealth(config, () => Promise.resolve());
logger.info({ port: server.port, mode: config.computeMode }, 'compute host started');
sayListening();
keepCompiledModules();

let isStopping = false;
const stop = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  watch.close();
  await host.close();
  health.close();
  await server.close();
  await tracing.close();
  process.exit(0);
};
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());

function processRunner(): InstanceRunner {
  return createProcessRunner({
    entryPoint: fileURLToPath(new URL('instance.ts', import.meta.url)),
    environment: guestEnvironment({ ...process.env, XDG_CACHE_HOME: cacheHome(process.env) }),
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
  const installed = { python: config.sciencePython || null, ccd: config.ccdPath || null, packs: packPlaces };
  return createInProcessRunner({
    gatewayUrl: config.gatewayUrl,
    contactSeconds: config.contactSeconds,
    findTool: findSessionTool(tools, installed),
    connect: connectThroughGateway,
    log: logger,
    tracing,
    drainSeconds: config.drainSeconds,
  });
}
