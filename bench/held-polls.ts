/**
 * Many instances that each hold polls at the gateway, as a process of its own. Its arguments: the gateway, the job, the first slot, how
 * many instances and how many polls of each; the secret of the stack comes by the environment.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { Client, credentials, Metadata } from '@grpc/grpc-js';
import proto from '@temporalio/proto';

import { COMPUTE_NAMESPACE } from '../src/contracts/instance.ts';
import { computeQueue } from '../src/contracts/names.ts';
import { signInstanceToken } from '../src/services/execution/instances/token.ts';

const [gatewayUrl = '', jobId = '', ...numbers] = process.argv.slice(2);
const [firstSlot = 0, instances = 0, polls = 0] = numbers.map(Number);
const secret = process.env['BENCH_SECRET'] ?? '';
const { PollActivityTaskQueueRequest } = proto.temporal.api.workflowservice.v1;
const PATH = '/temporal.api.workflowservice.v1.WorkflowService/PollActivityTaskQueue';
const HELD_MS = 80_000;
const asIs = (bytes: Buffer): Buffer => bytes;

for (let slot = firstSlot; slot < firstSlot + instances; slot += 1) {
  const client = new Client(new URL(gatewayUrl).host, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  const expiresAt = Math.floor(Date.now() / 1000) + 3_600;
  const metadata = new Metadata();
  metadata.set(
    'authorization',
    `Bearer ${signInstanceToken(secret, { jobId, slot, generation: 1, expiresAt })}`,
  );
  const taskQueue = { name: computeQueue(jobId, slot, 1) };
  const request = PollActivityTaskQueueRequest.encode({ namespace: COMPUTE_NAMESPACE, taskQueue }).finish();
  // Polls that end are asked again, as workers do, until the process ends.
  const poll = (): void => {
    const options = { deadline: Date.now() + HELD_MS };
    client.makeUnaryRequest(PATH, asIs, asIs, Buffer.from(request), metadata, options, () =>
      setTimeout(poll, 500),
    );
  };
  for (let held = 0; held < polls; held += 1) poll();
  // Machines do not boot in one moment.
  if (slot % 20 === 0) await sleep(100);
}
process.send?.('ready');
process.once('disconnect', () => process.exit(0));
