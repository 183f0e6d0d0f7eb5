/** The control worker: every workflow and every control activity. Any number may run; they share one task queue. */
import { Connection } from '@temporalio/client';
import { register } from 'prom-client';
import { NativeConnection, Runtime, Worker, makeTelemetryFilterString } from '@temporalio/worker';
import { createAdmissionActivities } from '../../activities/admission.ts';
import { createCapacityActivities } from '../../activities/capacity.ts';
import { createFinishActivities } from '../../activities/finish.ts';
import { createInstanceActivities } from '../../activities/instances.ts';
import { createUploadActivities } from '../../activities/uploads.ts';
import { createSweepActivities } from '../../activities/sweep.ts';
import { createTaskActivities } from '../../activities/tasks.ts';
import { createDatabase } from '../adapters/database.ts';
import { createLocalProvider } from '../adapters/instances/local.ts';
import { openObjectStore } from '../adapters/storage/open.ts';
import { createHttpStructures } from '../adapters/structures/http.ts';
import { createJobWorkflows } from '../adapters/temporal/client.ts';
import { createUploadWorkflows } from '../adapters/temporal/uploads.ts';
import { ensureSchedules } from '../adapters/temporal/schedules.ts';
import { loadConfig } from '../config.ts';
import { CONTROL_QUEUE } from '../contracts/names.ts';
import { createGivenUpMetrics } from '../metrics/given-up.ts';
import { createToolRegistry } from '../tools/registry.ts';
import { exitWithParent } from '../stack/parent-watch.ts';
import { serveHealth } from './process/health-server.ts';
import { createLogger, temporalLogger } from './process/logger.ts';
import { ensureBundle } from './process/workflow-bundle.ts';

const config = loadConfig('control');
const logger = createLogger('control', config.logLevel);
Runtime.install({
  logger: temporalLogger(logger),
  telemetryOptions: {
    logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }) },
  },
  shutdownSignals: [],
});
exitWithParent();

const db = await createDatabase(config.databaseUrl, { poolSize: config.databasePoolSize });
const store = await openObjectStore(config);
const workflows = createJobWorkflows(config);
const uploadWorkflows = createUploadWorkflows(config);
const providers = new Map([
  [
    config.provider,
    createLocalProvider({ name: config.provider, url: config.computeUrl, token: config.computeToken }),
  ],
]);
const tools = createToolRegistry({ testTools: config.testTools });
const structures = createHttpStructures({ baseUrl: config.structuresUrl, log: logger });
const countGivenUp = createGivenUpMetrics(register);
const limits = { totalVcpus: config.capacityVcpus, accountVcpus: config.accountCapacityVcpus };

const connection = await NativeConnection.connect({ address: config.temporalAddress });
const worker = await Worker.create({
  connection,
  namespace: config.temporalNamespace,
  taskQueue: CONTROL_QUEUE,
  workflowBundle: { codePath: await ensureBundle() },
  activities: {
    ...createAdmissionActivities(db),
    ...createCapacityActivities(db, workflows, limits),
    ...createTaskActivities({ db, store, tools, structures, countGivenUp }),
    ...createFinishActivities({ db, store, tools }),
    ...createInstanceActivities({
      db,
      providers,
      leases: config,
      secret: config.secret,
      tokenHours: config.gatewayTokenHours,
      countGivenUp,
    }),
    ...createUploadActivities({ db, store }),
    ...createSweepActivities({
      ...{ db, store, providers, workflows, uploadWorkflows },
      stagingUrlSeconds: config.stagingUrlSeconds,
    }),
  },
  maxConcurrentActivityTaskExecutions: config.controlConcurrency,
  // Cached workflows are most of this process's memory; a workflow that is not cached is replayed.
  maxCachedWorkflows: 300,
  maxHeartbeatThrottleInterval: '2s',
  shutdownGraceTime: '5s',
});

const scheduler = await Connection.connect({ address: config.temporalAddress });
await ensureSchedules(scheduler, { namespace: config.temporalNamespace, sweepSeconds: config.sweepSeconds });
await scheduler.close();

const health = await serveHealth(config, async () => {
  await db.query('select 1');
  await store.ping();
  if (worker.getState() !== 'RUNNING') throw new Error(`the worker is ${worker.getState()}`);
});

let stopping = false;
const stop = (): void => {
  if (!stopping && worker.getState() === 'RUNNING') worker.shutdown();
  stopping = true;
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);

logger.info({ taskQueue: CONTROL_QUEUE }, 'control worker started');
try {
  await worker.run();
} finally {
  health.close();
  await workflows.close();
  await uploadWorkflows.close();
  await connection.close();
  await db.destroy();
}
