/** The compute gateway: what instances reach. Any number may run. */
import { register } from 'prom-client';

import { createDatabase } from '../adapters/database.ts';
import { openObjectStore } from '../adapters/storage/open.ts';
import { checkTemporal } from '../adapters/temporal/check.ts';
import { createPayloadCodec } from '../adapters/temporal/codec.ts';
import { createJobWorkflows } from '../adapters/temporal/client.ts';
import { openFrontend } from '../adapters/temporal/frontend.ts';
import { loadConfig } from '../config.ts';
import { startGateway } from '../gateway/server.ts';
import { createRequestMetrics } from '../metrics.ts';
import { createBootstrapMetrics } from '../metrics/bootstraps.ts';
import { createFenceMetrics } from '../metrics/fences.ts';
import { createGivenUpMetrics } from '../metrics/given-up.ts';
import { createPassThroughMetrics } from '../metrics/pass-through.ts';
import { createGatewayService } from '../services/execution/gateway.ts';
import { createInstancePayloads } from '../services/execution/instances/payloads.ts';
import { createShardPayloads } from '../services/execution/instances/shard-payloads.ts';
import { secretsIn } from '../services/signed-claims.ts';
import { exitWithParent, sayListening } from '../stack/parent-watch.ts';
import { createToolRegistry } from '../tools/registry.ts';
import { outsideOfWork } from '../tracing/log-context.ts';
import { serveHealth } from './process/health-server.ts';
import { endWhenOnlyCompiling, keepCompiledModules } from './process/compile-cache.ts';
import { keepHeapsSmall } from './process/heap-growth.ts';
import { openTracedLogger } from './process/traced-logger.ts';
import { watchFences } from './process/watched.ts';

endWhenOnlyCompiling();
const config = loadConfig('gateway');
keepHeapsSmall();
const { logger, tracing } = await openTracedLogger('gateway', config);
exitWithParent();

const db = await createDatabase(config.databaseUrl, {
  poolSize: config.databasePoolSize,
  applicationName: 'dockyard-gateway',
  onError: (error) => outsideOfWork(() => logger.warn({ err: error }, 'a database connection was lost')),
});
await checkTemporal(config);
const codec = createPayloadCodec(config);
const frontend = openFrontend(config);
const workflows = createJobWorkflows(config);
const tools = createToolRegistry({ testTools: config.testTools });
const countGivenUp = createGivenUpMetrics(register);
const service = createGatewayService({
  db,
  store: await openObjectStore(config),
  secret: config.secret,
  furtherSecrets: secretsIn(config.furtherSecrets),
  payloads: createInstancePayloads(codec),
  shards: createShardPayloads(codec),
  findTool: (id) => tools.lookUp(id),
  tokenSeconds: Math.max(1, Math.round(config.gatewayTokenMinutes * 60)),
  onEnd: createBootstrapMetrics(register),
  onLate: (instance) =>
    void workflows.instanceHeard(instance).catch((error: unknown) => {
      // The job looks by itself at the latest a minute after its last look, so the message only saves time.
      logger.warn({ err: error, ...instance }, 'a job could not be told of its instance');
    }),
  urlSeconds: config.stagingUrlSeconds,
  taskTimeoutSeconds: config.taskTimeoutSeconds,
  legSeconds: config.legSeconds,
  onToolFault: ({ error, given, ...where }) => {
    countGivenUp('tool_fault', given);
    logger.error({ err: error, given, ...where }, 'a tool threw; its tasks failed');
  },
});
const gateway = await startGateway(
  watchFences(service, db, createFenceMetrics(register)),
  {
    host: config.gatewayHost,
    port: config.gatewayPort,
    certificate:
      config.gatewayCertFile === ''
        ? null
        : { certFile: config.gatewayCertFile, keyFile: config.gatewayKeyFile },
    passThrough: {
      frontend,
      namespace: config.temporalNamespace,
      metrics: createPassThroughMetrics(register),
      tracing,
      onFault: ({ error, ...call }) =>
        logger.error({ err: error, ...call }, 'a call of Temporal failed here'),
    },
    onCertificateFault: (error) => logger.error({ err: error }, 'the new certificate cannot be shown'),
  },
  (failure) => {
    const { error, ...request } = failure;
    logger.error({ err: error, ...request }, 'a call failed');
  },
  { metrics: createRequestMetrics(register), tracing },
);
const health = await serveHealth(config, async () => {
  const failing = await service.check();
  if (failing.length > 0) throw new Error(`No answer from: ${failing.join(', ')}.`);
});
logger.info({ port: gateway.port }, 'gateway started');
sayListening();
keepCompiledModules();

let isStopping = false;
const stop = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  await gateway.close();
  frontend.close();
  await workflows.close();
  health.close();
  await db.destroy();
  await tracing.close();
  process.exit(0);
};
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
