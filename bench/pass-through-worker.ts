/**
 * A worker of activities that do nothing, as a process of its own: at Temporal itself, or through the gateway as an instance. Its
 * arguments: the address of Temporal or the gateway, the queue, the namespace, and the bearer of the instance (none for Temporal itself).
 */
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';

import { connectThroughGateway } from '../src/adapters/temporal/native.ts';

const [address = '', taskQueue = '', namespace = '', bearer = ''] = process.argv.slice(2);
/** As many as an instance with two tools takes. */
const SHARDS = 6;
const POLLS = 4;

Runtime.install({
  logger: new DefaultLogger('WARN'),
  telemetryOptions: {
    logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }) },
  },
  shutdownSignals: [],
});
const isDirect = bearer === '';
const connection = isDirect
  ? await NativeConnection.connect({ address })
  : await connectThroughGateway(address, bearer);
const worker = await Worker.create({
  connection,
  namespace,
  taskQueue,
  activities: { nothing: () => Promise.resolve() },
  maxConcurrentActivityTaskExecutions: SHARDS,
  maxConcurrentActivityTaskPolls: POLLS,
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
}
process.exit(0);
