/**
 * The worker of one machine in the cloud, as the compute container runs it. The first line of standard input is the one-time
 * credential of the launch; everything else that the worker needs to know the gateway answers for it. The worker and the
 * machine's watcher talk by files (src/adapters/instances/user-data.ts). When this process ends, the machine powers itself off.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Runtime, makeTelemetryFilterString } from '@temporalio/worker';

import { connectThroughGateway } from '../adapters/temporal/native.ts';
import { loadConfig } from '../config.ts';
import type { BootstrapResponse } from '../contracts/instance.ts';
import { createGatewayClient } from '../instance/gateway-client.ts';
import { Instance } from '../instance/instance.ts';
import { gpusOfMachine } from '../instance/gpus.ts';
import { findContainment } from '../instance/sandbox.ts';
import { findSessionTool } from '../instance/session-tools.ts';
import { packsFolder } from '../packs/cache.ts';
import { createToolRegistry } from '../tools/registry.ts';
import { endWhenOnlyCompiling, keepCompiledModules } from './process/compile-cache.ts';
import { temporalLogger } from './process/logger.ts';
import { openTracedLogger } from './process/traced-logger.ts';

endWhenOnlyCompiling();
const config = loadConfig('instance');
const { logger, tracing, nameProcess } = await openTracedLogger('instance', config);
const stopping = new AbortController();
process.on('SIGTERM', () => stopping.abort());
process.on('SIGINT', () => stopping.abort());

const begun = await bootstrap(await firstLine());
if (begun === null) process.exit(1);
const { jobId, slot, generation, taskQueue, vcpus, toolSlots, token } = begun;
const gpus = gpusOfMachine();
const instanceId = `${jobId}.${String(slot)}.${String(generation)}`;
nameProcess({ instanceId, jobId, slot, generation });
Runtime.install({
  logger: temporalLogger(logger),
  telemetryOptions: {
    logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }) },
  },
  shutdownSignals: [],
});
const places = {
  python: config.sciencePython || null,
  ccd: config.ccdPath || null,
  packs: { folder: packsFolder(process.env), environment: process.env },
};
const containment = await findContainment(places.packs);
logger.info({ containment }, 'how tools are contained');
const instance = new Instance({
  order: {
    instanceId,
    folder: join(config.computeDir, 'instance'),
    startsLog: join(config.computeDir, 'starts.log'),
    containment,
    gpus,
    // The credential has served, and the instance goes on with the bearer.
    launch: {
      jobId,
      slot,
      generation,
      taskQueue,
      vcpus,
      gpus: gpus.length,
      toolSlots,
      token: '',
      market: 'ON_DEMAND',
      credential: '',
    },
  },
  bearer: token,
  gatewayUrl: config.gatewayUrl,
  contactSeconds: config.contactSeconds,
  findTool: findSessionTool(createToolRegistry({ testTools: config.testTools }), places),
  connect: connectThroughGateway,
  log: logger,
  tracing,
  machine: {
    noticeFile: join(config.machineDir, 'notice', 'spot'),
    drainSeconds: config.drainSeconds,
    signFile: join(config.machineDir, 'life', 'sign'),
    idleSeconds: config.idleMinutes * 60,
  },
});
const stop = (): void => instance.stop('stopped');
if (stopping.signal.aborted) stop();
stopping.signal.addEventListener('abort', stop);

keepCompiledModules();
await instance.run();
await tracing.close();
process.exit(0);

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  const line = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
  lines.close();
  return line.trim();
}

/** Asks for the bearer until there is one; null when the gateway refuses the credential, or the machine is stopped. */
async function bootstrap(credential: string): Promise<BootstrapResponse | null> {
  const gateway = createGatewayClient({ url: config.gatewayUrl, onFenced: () => undefined });
  try {
    return await gateway.bootstrap(credential, stopping.signal);
  } catch (error) {
    logger.error({ err: error }, 'the gateway gave no bearer');
    return null;
  } finally {
    await gateway.close();
  }
}
