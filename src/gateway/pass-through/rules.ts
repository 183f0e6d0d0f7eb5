/**
 * Requests to Temporal that an instance may make, call by call: exactly those of a worker that runs activities. A request is
 * never passed on as it came. It is read, judged and written anew with the fields that the call needs, so that a field of which
 * this file knows nothing cannot reach Temporal. The namespace and the identity are ours, the queue is the one of the instance,
 * the task token is opened.
 */
import proto from '@temporalio/proto';

import { COMPUTE_NAMESPACE } from '../../contracts/instance.ts';
import type { InstanceClaims } from '../../contracts/instance.ts';
import { computeQueue } from '../../contracts/names.ts';
import type { PassedCall } from '../../metrics/pass-through.ts';
import type { GatewayService } from '../../services/execution/gateway.ts';
import { Refusal } from './refusal.ts';

const { enums, workflowservice } = proto.temporal.api;
const W = workflowservice.v1;

/** Instance that makes the call, and the services that judge it. */
export interface CallContext {
  readonly claims: InstanceClaims;
  readonly service: Pick<GatewayService, 'fence' | 'taskTokens' | 'shards'>;
  /** The namespace of the installation. */
  readonly namespace: string;
}

/** The bytes of a message of protobuf, in what the library of messages takes and gives. */
type Bytes = Uint8Array;

/** A call that is passed on to Temporal. */
export interface PassingRule {
  readonly kind: 'pass';
  /** Whether the fence is asked: before work is given out, and before an answer counts. */
  readonly asksFence: boolean;
  /** The call is given up after so long. */
  readonly longestMs: number;
  /** The request for Temporal. @throws Refusal, AppError for a payload that is refused. */
  send(context: CallContext, request: Bytes): Promise<Bytes> | Bytes;
  /** The answer for the instance; absent: Temporal's as it is. */
  receive?(context: CallContext, response: Bytes): Promise<Bytes> | Bytes;
}

/** A call that the gateway answers by itself. */
export interface AnsweringRule {
  readonly kind: 'answer';
  answer(context: CallContext, request: Bytes): Bytes;
}

/** Temporal holds a poll for a minute; workers give a poll up somewhat later. */
const POLL_MS = 90_000;
const CALL_MS = 30_000;
const NOTHING = new Uint8Array();

/** The identity of an instance in Temporal's UI. */
export function identityOf({ jobId, slot, generation }: InstanceClaims): string {
  return `instance/${jobId}/${slot}.${generation}`;
}

/** Every call that there is for instances. */
export const RULES: Readonly<Record<PassedCall, PassingRule | AnsweringRule>> = {
  GetSystemInfo: { kind: 'pass', asksFence: false, longestMs: CALL_MS, send: () => NOTHING },
  DescribeNamespace: {
    kind: 'answer',
    answer(_context, request) {
      const { namespace } = W.DescribeNamespaceRequest.decode(request);
      expectNamespace(namespace);
      const namespaceInfo = { name: namespace, state: enums.v1.NamespaceState.NAMESPACE_STATE_REGISTERED };
      return W.DescribeNamespaceResponse.encode({ namespaceInfo }).finish();
    },
  },
  PollActivityTaskQueue: {
    kind: 'pass',
    asksFence: true,
    longestMs: POLL_MS,
    send({ claims, namespace }, request) {
      const asked = W.PollActivityTaskQueueRequest.decode(request);
      expectNamespace(asked.namespace);
      const name = computeQueue(claims.jobId, claims.slot, claims.generation);
      if (asked.taskQueue?.name !== name)
        throw new Refusal('queue', 'This is not the queue of this instance.');
      const taskQueue = { name, kind: enums.v1.TaskQueueKind.TASK_QUEUE_KIND_NORMAL };
      const identity = identityOf(claims);
      return W.PollActivityTaskQueueRequest.encode({ namespace, taskQueue, identity }).finish();
    },
    async receive({ claims, service }, response) {
      const task = W.PollActivityTaskQueueResponse.decode(response);
      if (task.taskToken.length === 0) return response;
      task.input = { payloads: await service.shards.open(task.input?.payloads) };
      task.taskToken = service.taskTokens.seal(claims, task.taskToken);
      task.workflowNamespace = COMPUTE_NAMESPACE;
      return W.PollActivityTaskQueueResponse.encode(task).finish();
    },
  },
  RecordActivityTaskHeartbeat: {
    kind: 'pass',
    asksFence: false,
    longestMs: CALL_MS,
    send(context, request) {
      const { taskToken, details, namespace } = W.RecordActivityTaskHeartbeatRequest.decode(request);
      // A heartbeat tells two counts, every few seconds and shard; heartbeats are never sealed.
      const told = { payloads: context.service.shards.check(details?.payloads) };
      const own = ownFields(context, namespace, taskToken);
      return W.RecordActivityTaskHeartbeatRequest.encode({ ...own, details: told }).finish();
    },
  },
  RespondActivityTaskCompleted: {
    kind: 'pass',
    asksFence: true,
    longestMs: CALL_MS,
    async send(context, request) {
      const { taskToken, result, namespace } = W.RespondActivityTaskCompletedRequest.decode(request);
      const own = ownFields(context, namespace, taskToken);
      const sealed = { payloads: await context.service.shards.seal(result?.payloads) };
      return W.RespondActivityTaskCompletedRequest.encode({ ...own, result: sealed }).finish();
    },
  },
  RespondActivityTaskFailed: {
    kind: 'pass',
    asksFence: true,
    longestMs: CALL_MS,
    async send(context, request) {
      const { taskToken, failure, namespace } = W.RespondActivityTaskFailedRequest.decode(request);
      const own = ownFields(context, namespace, taskToken);
      const sealed = await context.service.shards.sealFailure(failure ?? {});
      return W.RespondActivityTaskFailedRequest.encode({ ...own, failure: sealed }).finish();
    },
  },
  RespondActivityTaskCanceled: {
    kind: 'pass',
    asksFence: true,
    longestMs: CALL_MS,
    async send(context, request) {
      const { taskToken, details, namespace } = W.RespondActivityTaskCanceledRequest.decode(request);
      const own = ownFields(context, namespace, taskToken);
      const sealed = { payloads: await context.service.shards.seal(details?.payloads) };
      return W.RespondActivityTaskCanceledRequest.encode({ ...own, details: sealed }).finish();
    },
  },
  // An instance could name the queue of another worker here. The polls of the instance end with their connection, so Temporal need not know.
  ShutdownWorker: { kind: 'answer', answer: () => W.ShutdownWorkerResponse.encode({}).finish() },
};

/** The rule of a method; null for a method that is not for instances. */
export function ruleOf(
  method: string,
): { readonly name: PassedCall; readonly rule: PassingRule | AnsweringRule } | null {
  const name = NAMES.find((known) => known === method);
  return name === undefined ? null : { name, rule: RULES[name] };
}

const NAMES = Object.keys(RULES).filter(isPassed);

function isPassed(name: string): name is PassedCall {
  return Object.hasOwn(RULES, name);
}

/** Every method of the workflow service, so that a call that is refused is counted. */
export const METHODS: readonly string[] = Object.keys(W)
  .filter((name) => name.endsWith('Request'))
  .map((name) => name.slice(0, -'Request'.length));

function ownFields(
  { claims, service, namespace }: CallContext,
  asked: string,
  sealed: Uint8Array,
): { readonly namespace: string; readonly identity: string; readonly taskToken: Uint8Array } {
  expectNamespace(asked);
  const taskToken = service.taskTokens.open(claims, sealed);
  if (taskToken === null) throw new Refusal('token', 'This is not the token of a task of this instance.');
  return { namespace, identity: identityOf(claims), taskToken };
}

function expectNamespace(asked: string): void {
  if (asked !== COMPUTE_NAMESPACE)
    throw new Refusal('namespace', `Instances know the namespace ${COMPUTE_NAMESPACE} alone.`);
}
