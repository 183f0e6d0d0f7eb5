/** The calls of Temporal that an instance makes, one by one and in whatever form the test wants, with the bearer of the instance. */
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { ClientUnaryCall, ServiceError } from '@grpc/grpc-js';
import proto from '@temporalio/proto';

import { COMPUTE_NAMESPACE } from '../../../src/contracts/instance.ts';

const W = proto.temporal.api.workflowservice.v1;
const SERVICE = '/temporal.api.workflowservice.v1.WorkflowService/';
const asIs = (bytes: Buffer): Buffer => bytes;

/** A call that is under way: its answer, or the code of its error. */
export interface RawCall {
  readonly answer: Promise<Buffer>;
  readonly call: ClientUnaryCall;
}

/** Makes calls over one connection. */
export class RawWorker {
  readonly #client: Client;
  readonly #bearer: string;

  constructor(gatewayUrl: string, bearer: string) {
    this.#client = new Client(new URL(gatewayUrl).host, credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.max_reconnect_backoff_ms': 500,
    });
    this.#bearer = bearer;
  }

  /** Sends bytes to a method of the workflow service. */
  send(method: string, request: Uint8Array, withinMs = 20_000): RawCall {
    const metadata = new Metadata();
    if (this.#bearer !== '') metadata.set('authorization', `Bearer ${this.#bearer}`);
    const answer = Promise.withResolvers<Buffer>();
    const options = { deadline: Date.now() + withinMs };
    const call = this.#client.makeUnaryRequest(
      `${SERVICE}${method}`,
      asIs,
      asIs,
      Buffer.from(request),
      metadata,
      options,
      (error: ServiceError | null, bytes?: Buffer) => {
        if (error === null) answer.resolve(bytes ?? Buffer.alloc(0));
        else answer.reject(error);
      },
    );
    answer.promise.catch(() => undefined);
    return { answer: answer.promise, call };
  }

  /** The code of the error of a call; null when the call was answered. */
  async code(method: string, request: Uint8Array): Promise<number | null> {
    return this.send(method, request).answer.then(
      () => null,
      (error: unknown) => (error as ServiceError).code,
    );
  }

  /** A poll of a queue. */
  poll(queue: string, namespace = COMPUTE_NAMESPACE): Uint8Array {
    return W.PollActivityTaskQueueRequest.encode({
      ...{ namespace, identity: 'whoever' },
      taskQueue: { name: queue },
    }).finish();
  }

  /** The next task of a queue. */
  async task(queue: string): Promise<proto.temporal.api.workflowservice.v1.PollActivityTaskQueueResponse> {
    for (;;) {
      const bytes = await this.send('PollActivityTaskQueue', this.poll(queue), 60_000).answer;
      const task = W.PollActivityTaskQueueResponse.decode(bytes);
      if (task.taskToken.length > 0) return task;
    }
  }

  /** Ends the connection. */
  close(): void {
    this.#client.close();
  }
}
