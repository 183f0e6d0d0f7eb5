/**
 * The worker of the baseline, a process of its own as Dockyard's workers are: workflows and activities on one queue.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  Worker,
  makeTelemetryFilterString,
} from '@temporalio/worker';

import { createAdmissionActivities } from '../activities/admission.ts';
import { createDatabase } from '../src/adapters/database.ts';
import type { BareActivities } from './baseline-workflows.ts';

const [temporalAddress = '', namespace = '', databaseUrl = '', taskQueue = ''] = process.argv.slice(2);
const CONNECTIONS = 16;
const CONCURRENCY = 32;

Runtime.install({
  logger: new DefaultLogger('WARN'),
  telemetryOptions: {
    logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }) },
  },
  shutdownSignals: [],
});
const folder = await mkdtemp(join(tmpdir(), 'dockyard-bench-bare-'));
const db = await createDatabase(databaseUrl, { poolSize: CONNECTIONS, applicationName: 'dockyard-bench' });
const bare: BareActivities = {
  async writeBytes(name, byteSize) {
    await writeFile(join(folder, name.replaceAll('/', '-')), Buffer.alloc(byteSize, 'x'));
  },
};
const connection = await NativeConnection.connect({ address: temporalAddress });
const worker = await Worker.create({
  connection,
  namespace,
  taskQueue,
  workflowsPath: fileURLToPath(new URL('baseline-workflows.ts', import.meta.url)),
  activities: { ...createAdmissionActivities(db, []), ...bare },
  maxConcurrentActivityTaskExecutions: CONCURRENCY,
});
const stop = (): void => {
  if (worker.getState() === 'RUNNING') worker.shutdown();
};
process.once('disconnect', stop);
process.once('SIGTERM', stop);
process.send?.('ready');
try {
  await worker.run();
} finally {
  await connection.close();
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
