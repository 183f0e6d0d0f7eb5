/**
 * The calls of Temporal that instances make, in front of Temporal. Each passage of a call is authorised by the bearer of its instance and judged by
 * its rule. A call that its caller gives up is given up at Temporal, too; a call keeps its deadline. While Temporal is away a
 * call fails as unavailable and the worker comes again. While the database is away an answer waits for the fence, because a worker that
 * is refused throws the answer away.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Metadata, Server, status } from '@grpc/grpc-js';
import type { handleUnaryCall, sendUnaryData, ServerUnaryCall, ServiceDefinition } from '@grpc/grpc-js';

import { AppError } from '../../domain/errors.ts';
import { isRecord } from '../../domain/is-record.ts';
import { NO_PASS_THROUGH_METRICS } from '../../metrics/pass-through.ts';
import type { CallEnd, PassedCall, PassThroughMetrics } from '../../metrics/pass-through.ts';
import type { Fence } from '../../services/execution/fence.ts';
import type { GatewayService } from '../../services/execution/gateway.ts';
import type { FrontendFault, PassedTo } from './frontend.ts';
import { withLogFields, type LogFields } from '../../tracing/log-context.ts';
import { NO_TRACING } from '../../tracing/tracing.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { HeldPolls } from './held-polls.ts';
import { createPassageSpans } from './passage-spans.ts';
import type { PassageSpans } from './passage-spans.ts';
import { Refusal } from './refusal.ts';
import { METHODS, ruleOf } from './rules.ts';
import type { CallContext, PassingRule } from './rules.ts';

/** Temporal, the namespace of the installation, and where calls are counted and faults told. */
export interface PassThroughOptions {
  readonly frontend: PassedTo;
  readonly namespace: string;
  readonly metrics?: PassThroughMetrics;
  readonly tracing?: Tracing;
  /** Called with an error that is neither a refusal nor an outage. */
  readonly onFault: (fault: { readonly call: string; readonly error: unknown }) => void;
}

type Call = ServerUnaryCall<Buffer, Buffer>;
type Answer = sendUnaryData<Buffer>;

/** A call, the way to its caller, and the way to say more of the call to the log. */
interface Passage {
  readonly call: Call;
  readonly answer: Answer;
  readonly name: (more: LogFields) => void;
}

const SERVICE = '/temporal.api.workflowservice.v1.WorkflowService/';
/** Headers about the worker; Temporal asks for the first three to know what the worker understands. */
const HEADERS = ['client-name', 'client-version', 'supported-server-versions', 'caller-type'];
/** Temporal takes payloads of 2 MB, and no larger message than 4 MB. */
const LARGEST_MESSAGE_BYTES = 4 * 1024 * 1024;
/** A worker has four polls, a heartbeat for each shard and an answer now and then. */
const CALLS_PER_CONNECTION = 256;
/** Idle connections are asked for a sign of life, so that the polls of an instance that is gone do not stay. */
const KEEP_ALIVE_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 15_000;
const FENCE_WAIT_MS = 500;
const UNAVAILABLE: number = status.UNAVAILABLE;

/** Makes the server of these calls; connections are handed to it. */
export function createPassThrough(service: GatewayService, options: PassThroughOptions): PassThroughServer {
  const server = new Server({
    'grpc.max_receive_message_length': LARGEST_MESSAGE_BYTES,
    'grpc.max_concurrent_streams': CALLS_PER_CONNECTION,
    'grpc.keepalive_time_ms': KEEP_ALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEP_ALIVE_TIMEOUT_MS,
    'grpc.enable_channelz': 0,
  });
  const polls = new HeldPolls((held) => options.metrics?.polls(held));
  const doors = new Doors(service, options, polls);
  const definition: ServiceDefinition = Object.fromEntries(METHODS.map((name) => [name, methodOf(name)]));
  server.addService(definition, Object.fromEntries(METHODS.map((name) => [name, doors.handlerOf(name)])));
  return { server, endPolls: () => polls.endAll() };
}

/** The server, and the way to its end. */
export interface PassThroughServer {
  readonly server: Server;
  /** Answers every held poll, so that workers go to another gateway. */
  endPolls(): void;
}

const asIs = (bytes: Buffer): Buffer => bytes;

function methodOf(name: string): ServiceDefinition[string] {
  return {
    path: `${SERVICE}${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: asIs,
    requestDeserialize: asIs,
    responseSerialize: asIs,
    responseDeserialize: asIs,
  };
}

/** The handlers of the calls. */
class Doors {
  readonly #service: GatewayService;
  readonly #options: PassThroughOptions;
  readonly #polls: HeldPolls;
  readonly #metrics: PassThroughMetrics;
  readonly #spans: PassageSpans;
  readonly #tracing: Tracing;

  constructor(service: GatewayService, options: PassThroughOptions, polls: HeldPolls) {
    this.#service = service;
    this.#options = options;
    this.#polls = polls;
    this.#metrics = options.metrics ?? NO_PASS_THROUGH_METRICS;
    this.#tracing = options.tracing ?? NO_TRACING;
    this.#spans = createPassageSpans(this.#tracing);
  }

  handlerOf(method: string): handleUnaryCall<Buffer, Buffer> {
    return (call, answer) => {
      let named: LogFields = { requestId: randomUUID(), operation: ruleOf(method)?.name ?? 'other' };
      const name = (more: LogFields): void => void (named = { ...named, ...more });
      void withLogFields(
        () => named,
        () => this.#handle(method, { call, answer, name }),
      );
    };
  }

  /** Never rejects: whatever goes wrong is the answer. */
  async #handle(method: string, { call, answer, name }: Passage): Promise<void> {
    const known = ruleOf(method);
    try {
      const context = await this.#authorise(call);
      const { jobId, slot, generation } = context.claims;
      name({ jobId, slot, generation });
      if (known === null) throw new Refusal('method', `${method} is not for instances.`);
      const { rule } = known;
      const response =
        rule.kind === 'answer'
          ? rule.answer(context, call.request)
          : await this.#spans.answered(context.claims, known.name, call.request, () => {
              name(this.#tracing.logFields());
              return this.#pass({ ...known, rule }, context, { call, name });
            });
      this.#metrics.ended(known.name, call.cancelled ? 'left' : 'answered');
      answer(null, asBuffer(response));
    } catch (error) {
      answer(this.#errorOf(known?.name ?? 'other', call, error));
    }
  }

  async #authorise(call: Call): Promise<CallContext> {
    const [header = ''] = call.metadata.get('authorization');
    const [, token] = /^Bearer (\S+)$/i.exec(header.toString()) ?? [];
    const claims = token === undefined ? null : await this.#verify(token);
    if (claims === null) throw new Refusal('bearer', 'This needs the token of an instance.');
    return { claims, service: this.#service, namespace: this.#options.namespace };
  }

  async #verify(token: string): ReturnType<GatewayService['verify']> {
    try {
      return await this.#service.verify(token);
    } catch (error) {
      throw new Unreachable(error);
    }
  }

  async #pass(
    { name: method, rule }: { readonly name: PassedCall; readonly rule: PassingRule },
    context: CallContext,
    { call, name }: Pick<Passage, 'call' | 'name'>,
  ): Promise<Uint8Array> {
    const deadline = Math.min(deadlineOf(call), Date.now() + rule.longestMs);
    const request = await rule.send(context, call.request);
    const isPoll = method === 'PollActivityTaskQueue';
    const { mayPoll, mayAct } = context.service.fence;
    if (rule.asksFence) await askFence(isPoll ? mayPoll : mayAct, context, call, isPoll ? 0 : deadline);
    const send = (): ReturnType<PassedTo['call']> =>
      this.#options.frontend.call({
        method,
        request: asBuffer(request),
        deadline,
        headers: headersOf(call.metadata),
      });
    const response = isPoll
      ? await this.#polls.hold(context.claims, call, send)
      : await untilLeft(call, send());
    const given = async (): Promise<Uint8Array> => {
      name(this.#tracing.logFields());
      return (await rule.receive?.(context, response)) ?? response;
    };
    return isPoll ? this.#spans.given(context.claims, response, given) : given();
  }

  #errorOf(call: PassedCall | 'other', { cancelled }: Call, error: unknown): Failed {
    if (error instanceof Refusal) {
      this.#metrics.refused(call, error.reason);
      return { code: error.code, details: error.message };
    }
    const end = (how: CallEnd): void => {
      if (call !== 'other') this.#metrics.ended(call, cancelled ? 'left' : how);
    };
    if (error instanceof AppError && error.status < 500) {
      this.#metrics.refused(call, 'message');
      return { code: status.INVALID_ARGUMENT, details: error.publicMessage };
    }
    if (error instanceof Unreachable) {
      end('unreachable');
      return { code: status.UNAVAILABLE, details: 'The gateway cannot ask the fence now.' };
    }
    if (isFault(error)) {
      end(error.code === UNAVAILABLE ? 'unreachable' : 'failed');
      return { code: error.code, details: error.details, metadata: metadataOf(error) };
    }
    end('failed');
    this.#options.onFault({ call, error });
    return { code: status.INTERNAL, details: 'The gateway failed.' };
  }
}

/** Asks again while the database is away and there is time. */
async function askFence(
  ask: Fence['mayAct'],
  { claims }: CallContext,
  call: Call,
  until: number,
): Promise<void> {
  for (;;) {
    try {
      await ask(claims);
      return;
    } catch (error) {
      if (error instanceof AppError && error.code === 'FENCED')
        throw new Refusal('fenced', error.publicMessage);
      if (call.cancelled || Date.now() + FENCE_WAIT_MS >= until) throw new Unreachable(error);
    }
    await sleep(FENCE_WAIT_MS);
  }
}

/** The database does not answer, so nobody knows whether the instance may act. */
class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The fence does not answer.', { cause });
  }
}

interface Failed {
  readonly code: number;
  readonly details: string;
  readonly metadata?: Metadata;
}

/** Waits for an answer, and gives the call up when its caller does. */
function untilLeft(call: Call, under: ReturnType<PassedTo['call']>): Promise<Buffer> {
  call.on('cancelled', () => under.cancel());
  return under.response;
}

function deadlineOf(call: Call): number {
  const deadline = call.getDeadline();
  return typeof deadline === 'number' ? deadline : deadline.getTime();
}

function headersOf(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(
    HEADERS.flatMap((name) => {
      const [value] = metadata.get(name);
      return value === undefined ? [] : [[name, value.toString()]];
    }),
  );
}

function metadataOf({ statusDetails }: FrontendFault): Metadata {
  const metadata = new Metadata();
  if (statusDetails !== null) metadata.set('grpc-status-details-bin', statusDetails);
  return metadata;
}

function isFault(error: unknown): error is FrontendFault {
  return isRecord(error) && typeof error['code'] === 'number' && typeof error['details'] === 'string';
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
