/**
 * Calls of Temporal's frontend in bytes, for the gateway, which passes calls of instances on: over the TLS and with the API key of
 * the settings, like every other connection of ours. Polls are held for a minute each, and servers and balancers bound the streams of one
 * connection, so further connections are opened as more calls are held.
 */
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import type { ChannelCredentials, ChannelOptions, ServiceError } from '@grpc/grpc-js';

import { openApiKey, readTls } from './access.ts';
import type { TemporalAccess } from './access.ts';

/** An answer that is an error, with what a caller of gRPC is told of it. */
export class FrontendError extends Error {
  readonly code: number;
  readonly details: string;
  /** The error's details in protobuf; null where there are none. */
  readonly statusDetails: Buffer | null;

  constructor(code: number, details: string, statusDetails: Buffer | null) {
    super(`${code} ${details}`);
    this.code = code;
    this.details = details;
    this.statusDetails = statusDetails;
  }
}

/** One call: a method of the workflow service, its request, and what is said beside it. */
export interface FrontendCall {
  readonly method: string;
  readonly request: Buffer;
  /** When the call is given up, in Unix milliseconds. */
  readonly deadline: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A call that is under way. */
export interface FrontendAnswer {
  /** The response; rejected with a FrontendError. */
  readonly response: Promise<Buffer>;
  /** Gives the call up at Temporal, too, so that a held poll takes no task for a caller who is gone. */
  cancel(): void;
}

/** Temporal's frontend. */
export interface Frontend {
  call(call: FrontendCall): FrontendAnswer;
  /** How many connections there are now. */
  readonly connections: number;
  close(): void;
}

/** The first path segment of every method. */
export const WORKFLOW_SERVICE = '/temporal.api.workflowservice.v1.WorkflowService/';

/** Servers and balancers take 100 streams of one connection and more. */
const CALLS_PER_CONNECTION = 100;
const CHANNEL: ChannelOptions = {
  // Each client of the pool has a connection of its own.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_retries': 0,
  'grpc.enable_channelz': 0,
  // With the default of two minutes Temporal would stay out of reach long after its restart.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.max_receive_message_length': 8 * 1024 * 1024,
};
const asIs = (bytes: Buffer): Buffer => bytes;

interface Pooled {
  readonly client: Client;
  calls: number;
}

/** Opens the frontend; nothing is sent before the first call. @throws TemporalSettingsError for files that cannot serve. */
export function openFrontend(access: TemporalAccess): Frontend {
  const [channelCredentials, options] = channelOf(access);
  const apiKey = openApiKey(access);
  const pool: Pooled[] = [];
  const take = (): Pooled => {
    const free = pool.find(({ calls }) => calls < CALLS_PER_CONNECTION);
    if (free !== undefined) return free;
    const opened = { client: new Client(access.temporalAddress, channelCredentials, options), calls: 0 };
    pool.push(opened);
    return opened;
  };
  return {
    get connections() {
      return pool.length;
    },
    call({ method, request, deadline, headers }) {
      const metadata = new Metadata();
      for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
      metadata.set('temporal-namespace', access.temporalNamespace);
      if (apiKey !== null) metadata.set('authorization', `Bearer ${apiKey.current()}`);
      const pooled = take();
      pooled.calls += 1;
      const answer = Promise.withResolvers<Buffer>();
      const settle = (error: ServiceError | null, response?: Buffer): void => {
        pooled.calls -= 1;
        if (error !== null) answer.reject(frontendError(error));
        else answer.resolve(response ?? Buffer.alloc(0));
      };
      const path = `${WORKFLOW_SERVICE}${method}`;
      const call = withoutStack(() =>
        pooled.client.makeUnaryRequest(path, asIs, asIs, request, metadata, { deadline }, settle),
      );
      return { response: answer.promise, cancel: () => call.cancel() };
    },
    close() {
      for (const { client } of pool) client.close();
    },
  };
}

/** The library takes a stack at the begin of each call, for the stack of an error that is made anew here. */
function withoutStack<T>(begin: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return begin();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function frontendError(error: ServiceError): FrontendError {
  const [statusDetails] = error.metadata.get('grpc-status-details-bin');
  // The library tells neither code nor words of an answer that is compressed in a way that the answer does not name.
  const told: Partial<Pick<ServiceError, 'code' | 'details'>> = error;
  const { code = status.INTERNAL, details = 'The answer of Temporal cannot be read.' } = told;
  // Whatever else is wrong with the way to Temporal, the caller is to come again.
  const isVague = code === status.UNKNOWN && statusDetails === undefined;
  return new FrontendError(
    isVague ? status.UNAVAILABLE : code,
    details,
    Buffer.isBuffer(statusDetails) ? statusDetails : null,
  );
}

function channelOf(access: TemporalAccess): readonly [ChannelCredentials, ChannelOptions] {
  const tls = readTls(access);
  if (tls === null) return [credentials.createInsecure(), CHANNEL];
  const { ca, pair, serverName } = tls;
  const secured = credentials.createSsl(ca, pair?.key ?? null, pair?.cert ?? null);
  if (serverName === null) return [secured, CHANNEL];
  const named = { 'grpc.ssl_target_name_override': serverName, 'grpc.default_authority': serverName };
  return [secured, { ...CHANNEL, ...named }];
}
