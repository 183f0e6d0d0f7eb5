/** The control worker: every workflow and every control activity. Any number may run; they share their task queues. */
import { pathToFileURL } from 'node:url';

import { register } from 'prom-client';

import { createDatabase } from '../adapters/database.ts';
import { openMailer } from '../adapters/mail/open.ts';
import { createHttpRates } from '../adapters/rates/http-source.ts';
import { loadPayments } from '../adapters/payments/open.ts';
import { openObjectStore } from '../adapters/storage/open.ts';
import { createHttpStructures } from '../adapters/structures/http.ts';
import { createJobWorkflows } from '../adapters/temporal/client.ts';
import { dataConverterOf } from '../adapters/temporal/codec.ts';
import { clientOf, connectTemporal } from '../adapters/temporal/connection.ts';
import { openDeployments } from '../adapters/temporal/deployments.ts';
import { connectNative } from '../adapters/temporal/native.ts';
import { createUploadWorkflows } from '../adapters/temporal/uploads.ts';
import { createWebhookWorkflows } from '../adapters/temporal/webhooks.ts';
import { ensureSchedules } from '../adapters/temporal/schedules.ts';
import { loadConfig } from '../config.ts';
import { capacityLimitsOf } from '../config/capacity-settings.ts';
import { CONTROL_QUEUES } from '../contracts/names.ts';
import { createGivenUpMetrics } from '../metrics/given-up.ts';
import { createInstanceMetrics } from '../metrics/instances.ts';
import { createSweepMetrics } from '../metrics/sweeps.ts';
import { createTryMetrics } from '../metrics/webhooks.ts';
import { atMostEvery } from '../services/at-most-every.ts';
import { createFileTurns } from '../services/file-turns.ts';
import { HEALTH_EVERY_MS } from '../services/health.ts';
import { createCommitMetrics } from '../services/execution/commit/bad-outputs.ts';
import { noteSchedules, RECORDED_SCHEDULES } from '../services/operations/rounds.ts';
import { openProviders } from '../services/execution/instances/providers.ts';
import { rateOfBook } from '../services/prices/fx-rates.ts';
import { loadPriceBook } from '../services/prices/price-book.ts';
import { createReceiptSigner, publishReceiptKeys } from '../services/receipts/keys.ts';
import { dockingRecorders } from '../services/docking/records/recorder.ts';
import { createToolRegistry } from '../tools/registry.ts';
import { createTakeUp } from '../services/job-records/take-up.ts';
import { keepAsking } from '../services/tools/keep-asking.ts';
import { recordTools } from '../services/tools/offers.ts';
import { exitWithParent, sayListening } from '../stack/parent-watch.ts';
import { tracedControl } from '../tracing/temporal.ts';
import { registerCertificateMetrics } from './process/certificate-metrics.ts';
import { createControlActivities } from './process/control-activities.ts';
import { buildOf, createControlWorkers } from './process/control-workers.ts';
import { keepDelivering } from './process/delivering.ts';
import { claimFirstBuild } from './process/first-build.ts';
import { createThreadHasher } from './process/hash-threads.ts';
import { keepGranting } from './process/granting.ts';
import { serveHealth } from './process/health-server.ts';
import { endWhenOnlyCompiling, keepCompiledModules } from './process/compile-cache.ts';
import { keepHeapsSmall } from './process/heap-growth.ts';
import { openDiversity } from './process/ligand-services.ts';
import { registerOperationsMetrics } from './process/operations-metrics.ts';
import { registerQueueMetrics } from './process/queue-metrics.ts';
import { registerRateMetrics } from './process/rate-metrics.ts';
import { registerReconciliationMetrics } from './process/reconciliation-metrics.ts';
import { installRuntime } from './process/temporal-metrics.ts';
import { openTracedLogger } from './process/traced-logger.ts';
import { watchProvider } from './process/watched.ts';
import { webhookWayOf } from './process/webhook-way.ts';
import { ensureBundle } from './process/workflow-bundle.ts';

/** How often providers are asked which tools they can run. */
const TOOLS_SECONDS = 5;

endWhenOnlyCompiling();
const config = loadConfig('control');
keepHeapsSmall();
const { logger, tracing } = await openTracedLogger('control', config);
const readSdkMetrics = await installRuntime(logger, config.healthPort !== 0);
exitWithParent();

// Half of the connections are for money and state, so work through the store can never hold all of them.
const poolSize = Math.ceil(config.databasePoolSize / 2);
const db = await createDatabase(config.databaseUrl, { poolSize });
const longDb = await createDatabase(config.databaseUrl, { poolSize });
const store = await openObjectStore(config);
const workflows = createJobWorkflows({ ...config, tracing });
const uploadWorkflows = createUploadWorkflows(config);
const mailer = openMailer(config);
const instanceMetrics = createInstanceMetrics(register);
const tools = createToolRegistry({ testTools: config.testTools });
const providers = new Map(
  [...(await openProviders(config, { db, tools, tracing }))].map(([name, provider]) => [
    name,
    watchProvider(provider, instanceMetrics),
  ]),
);
const bookRate = rateOfBook(loadPriceBook());
// The other half of the slots is for commits, so a commit never waits for a large file to be hashed.
const filesAtOnce = Math.floor(config.storageConcurrency / 2);
const hasher = createThreadHasher({ atOnce: filesAtOnce });
const diversity = openDiversity(config, logger);

const signer = createReceiptSigner(config.receiptKeys);
if (signer !== null) await publishReceiptKeys(db, signer);

const build = buildOf(config);
const connection = await connectNative(config);
const workers = await createControlWorkers({
  connection,
  namespace: config.temporalNamespace,
  build,
  codePath: await ensureBundle({ isSealing: config.temporalCodecKey !== '' }),
  dataConverter: dataConverterOf(config),
  traced: tracedControl(tracing),
  slots: {
    control: config.controlConcurrency,
    storage: config.storageConcurrency,
    provider: config.providerConcurrency,
    webhooks: config.webhookConcurrency,
  },
  activities: createControlActivities({
    db,
    longDb,
    store,
    mailer,
    workflows,
    uploadWorkflows,
    webhookWay: webhookWayOf(config),
    payments: await loadPayments(config),
    alarm: (text, facts) => logger.error(facts, text),
    log: logger,
    providers,
    tools,
    recorders: dockingRecorders(tools),
    structures: createHttpStructures({ baseUrl: config.structuresUrl, log: logger }),
    hasher,
    diversity,
    metrics: createCommitMetrics(register),
    countGivenUp: createGivenUpMetrics(register),
    countUnswept: createSweepMetrics(register),
    countTry: createTryMetrics(register),
    instanceMetrics,
    rateSource: config.fxUrl === '' ? null : createHttpRates({ url: config.fxUrl }),
    bookRate,
    receipts: { signer, issuer: config.publicUrl },
    turns: createFileTurns(longDb, { ofAccount: config.accountFileTurns, inProcess: filesAtOnce }),
    config,
  }),
});

const scheduler = await connectTemporal(config);
await ensureSchedules(clientOf(scheduler, config), {
  sweepSeconds: config.sweepSeconds,
  hasRates: config.fxUrl !== '',
});
await noteSchedules(
  db,
  RECORDED_SCHEDULES.filter((schedule) => schedule !== 'fx-rate' || config.fxUrl !== ''),
);

const endAsking = [...providers.values()].map((provider) =>
  keepAsking(() => recordTools(db, provider), {
    everyMs: TOOLS_SECONDS * 1000,
    // A provider that is away leaves what it said before, which stands for ten minutes.
    onFailure: (error) => logger.debug({ err: error }, 'no word of tools'),
  }),
);

const endGranting = keepGranting({
  db,
  workflows,
  logger,
  lookSeconds: config.capacityLookSeconds,
  takeUp: createTakeUp({ db, workflows, settings: config }),
  limits: capacityLimitsOf(config),
});

const webhookWorkflows = createWebhookWorkflows(config);
const endDelivering = keepDelivering(longDb, webhookWorkflows, logger);

const deployments = build === null ? null : await openDeployments(config);
const endClaiming = claimFirstBuild(deployments, config.buildId, logger);

registerQueueMetrics(register, {
  connection: scheduler,
  namespace: config.temporalNamespace,
  db,
  slots: (queue) => workers.slots(queue),
});
registerReconciliationMetrics(register, db);
registerOperationsMetrics(register, db);
if (config.fxUrl !== '') registerRateMetrics(register, db, bookRate);
registerCertificateMetrics(
  register,
  {
    api: config.publicUrl,
    gateway: config.gatewayUrl,
    storage: config.storageEndpoint,
    ...(config.temporalCertFile === '' ? {} : { temporal: pathToFileURL(config.temporalCertFile).href }),
  },
  (place, error) => logger.warn({ err: error, place }, 'the end of a certificate could not be read'),
);
const checkDependencies = atMostEvery(HEALTH_EVERY_MS, async () => {
  await db.query('select 1');
  await store.ping();
  workers.check();
});
const health = await serveHealth(config, checkDependencies, readSdkMetrics);

process.on('SIGTERM', () => workers.stop());
process.on('SIGINT', () => workers.stop());

logger.info(
  { taskQueues: CONTROL_QUEUES, build: build?.buildId, mail: mailer.place },
  'control worker started',
);
sayListening();
keepCompiledModules();
try {
  await workers.run();
} finally {
  for (const end of [...endAsking, endGranting, endDelivering, endClaiming]) end();
  health.close();
  mailer.close();
  await hasher.close();
  await diversity.close();
  await workflows.close();
  await uploadWorkflows.close();
  await webhookWorkflows.close();
  await scheduler.close();
  await deployments?.close();
  await connection.close();
  await db.destroy();
  await longDb.destroy();
  await tracing.close();
}
