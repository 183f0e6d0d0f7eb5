/**
 * What an instance may ask of Temporal through the gateway, with a real bearer in the hands of somebody who tries everything: every
 * refusal is one, is counted under its reason, and changes nothing.
 */
import { readFileSync } from 'node:fs';

import { status } from '@grpc/grpc-js';
import proto from '@temporalio/proto';
import { expect } from 'chai';

import { COMPUTE_NAMESPACE } from '../../src/contracts/instance.ts';
import { signInstanceToken } from '../../src/services/execution/instances/token.ts';
import { endpointsFile } from '../../src/stack/endpoints.ts';
import { bearerFor, bootstrap, guestOf } from '../support/faults/guest.ts';
import { playedWorld } from '../support/faults/played-host.ts';
import type { PlayedWorld } from '../support/faults/played-host.ts';
import { RawWorker } from '../support/faults/raw-worker.ts';
import { until } from '../support/until.ts';

const W = proto.temporal.api.workflowservice.v1;
const namespace = COMPUTE_NAMESPACE;
const payloads = (value: unknown) => ({
  payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value)) }],
});

function codeOf(error: unknown): unknown {
  return (error as { readonly code: number }).code;
}

interface Played {
  readonly jobId: string;
  readonly queue: string;
  readonly worker: RawWorker;
  readonly token: Uint8Array;
  readonly ordinals: readonly number[];
}

describe('the calls of Temporal of an instance', function () {
  this.timeout(180_000);
  let world: PlayedWorld;
  let own: Played;
  let other: Played;
  const workers: RawWorker[] = [];

  before(async () => {
    world = await playedWorld();
    [own, other] = await Promise.all([play(), play()]);
  });
  after(() => workers.forEach((worker) => worker.close()));

  const workerWith = (bearer: string): RawWorker => {
    const worker = new RawWorker(world.stack.gatewayUrl, bearer);
    workers.push(worker);
    return worker;
  };
  /** A job whose instance is in contact and has taken its first shard. */
  async function play(): Promise<Played> {
    const { client } = await world.customer();
    const { jobId } = await client.submit({
      ...{ jobType: 'simulation', simulator: 'noop', taskCount: 1, metadata: { noop: { seconds: 0 } } },
    });
    const launch = await world.launched(jobId);
    expect((await guestOf(world, launch).post('/v1/contact', { running: [] })).status).to.equal(200);
    const worker = workerWith(await bearerFor(world.stack.gatewayUrl, launch.credential));
    const task = await worker.task(launch.taskQueue);
    const shard = JSON.parse(Buffer.from(task.input?.payloads?.[0]?.data ?? []).toString('utf8'));
    return { jobId, queue: launch.taskQueue, worker, token: task.taskToken, ordinals: shard.ordinals };
  }
  const complete = (taskToken: Uint8Array, result: unknown = { fenced: false, reports: [] }): Uint8Array =>
    W.RespondActivityTaskCompletedRequest.encode({ taskToken, namespace, result: payloads(result) }).finish();
  const metrics = async (): Promise<string> => {
    const { metricsUrls } = JSON.parse(readFileSync(endpointsFile(world.stack.home), 'utf8'));
    return (await fetch(metricsUrls.gateway)).text();
  };
  const refusals = async (call: string, reason: string): Promise<number> => {
    const line = new RegExp(
      `^dockyard_pass_through_refusals_total\\{call="${call}",reason="${reason}"\\} (\\d+)$`,
      'm',
    );
    return Number(line.exec(await metrics())?.[1] ?? 0);
  };
  /** Sends what must be refused, and sees that it was counted. */
  const refused = async (
    worker: RawWorker,
    [method, request]: readonly [string, Uint8Array],
    [code, reason, counted = method]: readonly [status, string, string?],
  ): Promise<void> => {
    const before = await refusals(counted, reason);
    expect(await worker.code(method, request), method).to.equal(code);
    expect(await refusals(counted, reason), `${method} ${reason}`).to.equal(before + 1);
  };

  it('are refused for any other queue and any other namespace', async () => {
    const denied = [status.PERMISSION_DENIED, 'queue'] as const;
    for (const queue of [other.queue, 'control', 'storage', 'provider', `${own.queue}0`, ''])
      await refused(own.worker, ['PollActivityTaskQueue', own.worker.poll(queue)], denied);
    const elsewhere = own.worker.poll(own.queue, 'default');
    await refused(own.worker, ['PollActivityTaskQueue', elsewhere], [status.PERMISSION_DENIED, 'namespace']);
  });

  it("are refused with another's token, a forged token and a bare one", async () => {
    const method = 'RespondActivityTaskCompleted';
    const denied = [status.PERMISSION_DENIED, 'token'] as const;
    const forged = Buffer.from(own.token);
    forged.writeUInt8(forged.readUInt8(40) ^ 1, 40);
    const bare = Buffer.from(own.token).subarray(32);
    for (const token of [other.token, forged, bare, Buffer.alloc(0), Buffer.alloc(32)]) {
      await refused(own.worker, [method, complete(token)], denied);
      const heartbeat = W.RecordActivityTaskHeartbeatRequest.encode({ taskToken: token, namespace }).finish();
      await refused(own.worker, ['RecordActivityTaskHeartbeat', heartbeat], denied);
    }
    const failed = { taskToken: other.token, namespace, failure: { message: 'no' } };
    const request = W.RespondActivityTaskFailedRequest.encode(failed).finish();
    await refused(own.worker, ['RespondActivityTaskFailed', request], denied);
    const canceled = W.RespondActivityTaskCanceledRequest.encode({ taskToken: bare, namespace }).finish();
    await refused(own.worker, ['RespondActivityTaskCanceled', canceled], denied);
  });

  it('are refused for everything that is no work of an instance', async () => {
    const workflowId = `job/${own.jobId}`;
    const never: Readonly<Record<string, Uint8Array>> = {
      StartWorkflowExecution: W.StartWorkflowExecutionRequest.encode({ namespace, workflowId }).finish(),
      ListWorkflowExecutions: W.ListWorkflowExecutionsRequest.encode({ namespace }).finish(),
      RespondActivityTaskCompletedById: W.RespondActivityTaskCompletedByIdRequest.encode({
        ...{ namespace, workflowId, activityId: '1' },
      }).finish(),
      SignalWorkflowExecution: W.SignalWorkflowExecutionRequest.encode({ namespace }).finish(),
      PollWorkflowTaskQueue: W.PollWorkflowTaskQueueRequest.encode({ namespace }).finish(),
      GetWorkflowExecutionHistory: W.GetWorkflowExecutionHistoryRequest.encode({ namespace }).finish(),
      TerminateWorkflowExecution: W.TerminateWorkflowExecutionRequest.encode({ namespace }).finish(),
    };
    for (const [method, request] of Object.entries(never))
      await refused(own.worker, [method, request], [status.UNIMPLEMENTED, 'method', 'other']);
  });

  it('are refused with a bearer that is expired, changed or none', async () => {
    const claims = { jobId: own.jobId, slot: 0, generation: 1 };
    const secret = world.stack.env['DOCKYARD_SECRET'] ?? '';
    const expired = signInstanceToken(secret, { ...claims, expiresAt: Math.floor(Date.now() / 1000) - 1 });
    const foreign = signInstanceToken('cd'.repeat(32), { ...claims, expiresAt: 4_000_000_000 });
    for (const bearer of [expired, foreign, ''])
      await refused(
        workerWith(bearer),
        ['PollActivityTaskQueue', own.worker.poll(own.queue)],
        [status.UNAUTHENTICATED, 'bearer'],
      );
  });

  it('are refused where the control side could not read the answer', async () => {
    const torn = {
      payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{') }],
    };
    const sealed = {
      payloads: [{ metadata: { encoding: Buffer.from('binary/encrypted') }, data: Buffer.from('x') }],
    };
    for (const result of [torn, sealed]) {
      const request = { taskToken: own.token, namespace, result };
      const bytes = W.RespondActivityTaskCompletedRequest.encode(request).finish();
      await refused(
        own.worker,
        ['RespondActivityTaskCompleted', bytes],
        [status.INVALID_ARGUMENT, 'message'],
      );
    }
  });

  it('keep their deadline and are given up with their caller, so that no task is lost', async () => {
    // An instance that says nothing for long is fenced, so this one is new.
    const mine = await play();
    // Temporal holds a poll for a minute, and answers before the deadline of the caller where that is sooner.
    const soon = await mine.worker.send('PollActivityTaskQueue', mine.worker.poll(mine.queue), 5_000).answer;
    expect(W.PollActivityTaskQueueResponse.decode(soon).taskToken).to.have.length(0);
    const held = mine.worker.send('PollActivityTaskQueue', mine.worker.poll(mine.queue));
    setTimeout(() => held.call.cancel(), 300);
    expect(await held.answer.catch(codeOf)).to.equal(status.CANCELLED);
    await until('no poll is held', async () => /^dockyard_pass_through_polls 0$/m.test(await metrics()));
  });

  it('are refused once the generation is fenced, and were let through until then', async () => {
    const [mine, theirs] = await Promise.all([play(), play()]);
    const beat = { taskToken: mine.token, namespace, details: payloads({ ended: 0, of: 1 }) };
    const heartbeat = W.RecordActivityTaskHeartbeatRequest.encode(beat).finish();
    expect(await mine.worker.code('RecordActivityTaskHeartbeat', heartbeat)).to.equal(null);
    await world.rows('update instances set fenced_at = now() where job_id = $1 returning 1', [mine.jobId]);
    const denied = [status.PERMISSION_DENIED, 'fenced'] as const;
    // In this order: who was let through within the last second may still begin a poll, but answers nothing.
    await refused(mine.worker, ['RespondActivityTaskCompleted', complete(mine.token)], denied);
    await refused(mine.worker, ['PollActivityTaskQueue', mine.worker.poll(mine.queue)], denied);
    // The other instance is not concerned: its answer counts.
    expect(await theirs.worker.code('RespondActivityTaskCompleted', complete(theirs.token))).to.equal(null);
    const again = await theirs.worker.code('RespondActivityTaskCompleted', complete(theirs.token));
    expect(again).to.equal(status.NOT_FOUND);
  });

  it('are refused once a second caller has used the credential of the launch, which is counted', async () => {
    const { client } = await world.customer();
    const { jobId } = await client.submit({
      ...{ jobType: 'simulation', simulator: 'noop', taskCount: 1, metadata: { noop: { seconds: 0 } } },
    });
    const launch = await world.launched(jobId);
    const counted = async (end: string): Promise<number> => {
      const line = new RegExp(`^dockyard_bootstraps_total\\{end="${end}"\\} (\\d+)$`, 'm');
      return Number(line.exec(await metrics())?.[1] ?? 0);
    };
    const before = { given: await counted('given'), twice: await counted('twice') };
    const worker = workerWith(await bearerFor(world.stack.gatewayUrl, launch.credential));
    expect(await counted('given')).to.equal(before.given + 1);
    expect(await counted('twice')).to.equal(before.twice);
    const second = await bootstrap(world.stack.gatewayUrl, launch.credential);
    expect([second.status, second.code]).to.deep.equal([409, 'FENCED']);
    expect(await counted('twice')).to.equal(before.twice + 1);
    const poll = worker.poll(launch.taskQueue);
    await refused(worker, ['PollActivityTaskQueue', poll], [status.PERMISSION_DENIED, 'fenced']);
  });
});
