/**
 * One instance as a process. The launch order of the instance is the first line of standard input. Standard input then
 * stays open as long as the host lives, so the end of standard input means that the host has ended.
 */
import { createInterface } from 'node:readline';

import { Runtime, makeTelemetryFilterString } from '@temporalio/worker';

import { connectThroughGateway } from '../adapters/temporal/native.ts';
import { Instance } from '../instance/instance.ts';
import { findSessionTool } from '../instance/session-tools.ts';
import { hostedMachine } from '../local-host/hosted-machine.ts';
import { parseLaunchOrder } from '../local-host/launch-order.ts';
import { loadConfig } from '../config.ts';
import { packsFolder } from '../packs/cache.ts';
import { createToolRegistry } from '../tools/registry.ts';
import { endWhenOnlyCompiling, keepCompiledModules } from './process/compile-cache.ts';
import { keepHeapsSmall } from './process/heap-growth.ts';
import { temporalLogger } from './process/logger.ts';
import { openTracedLogger } from './process/traced-logger.ts';

endWhenOnlyCompiling();
const config = loadConfig('instance');
keepHeapsSmall();
const lines = createInterface({ input: process.stdin });
const firstLine = await new Promise<string | null>((resolve) => {
  lines.once('line', resolve);
  lines.once('close', () => resolve(null));
});
if (firstLine === null) process.exit(0);

const order = parseLaunchOrder(firstLine);
const { logger, tracing, nameProcess } = await openTracedLogger('instance', config);
const { jobId, slot, generation } = order.launch;
nameProcess({ instanceId: order.instanceId, jobId, slot, generation });
Runtime.install({
  logger: temporalLogger(logger),
  telemetryOptions: {
    logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }) },
  },
  shutdownSignals: [],
});
const tools = createToolRegistry({ testTools: config.testTools });
const places = {
  python: config.sciencePython || null,
  ccd: config.ccdPath || null,
  packs: { folder: packsFolder(process.env), environment: process.env },
};
const instance = new Instance({
  order,
  gatewayUrl: config.gatewayUrl,
  contactSeconds: config.contactSeconds,
  findTool: findSessionTool(tools, places),
  connect: connectThroughGateway,
  log: logger,
  tracing,
  machine: hostedMachine(order, config.drainSeconds),
});
const stop = (): void => instance.stop('stopped');
lines.once('close', stop);
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The pipe to the host's log may break before this process ends; the tools of this process must still be ended.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

keepCompiledModules();
await instance.run();
await tracing.close();
process.exit(0);
