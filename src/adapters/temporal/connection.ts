/**
 * The connections of clients to Temporal: every client of ours is made here, so that every client is reached over the TLS and with
 * the API key of the settings. A connection repairs itself; every call has a deadline.
 */
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  isGrpcServiceError,
  isRetryableError,
  makeGrpcRetryInterceptor,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { ConnectionOptions } from '@temporalio/client';

import { clientInterceptors } from '../../tracing/temporal.ts';
import { NO_TRACING, type Tracing } from '../../tracing/tracing.ts';
import { openApiKey, readTls, sdkTls } from './access.ts';
import type { TemporalAccess } from './access.ts';
import { checkTemporal } from './check.ts';
import { dataConverterOf } from './codec.ts';
import type { CodecSettings } from './codec.ts';

/** Access to Temporal, sealing of payloads, and treatment of the calls. */
export interface TemporalSettings extends TemporalAccess, CodecSettings {
  /** Makes spans of the calls, and sends their traces along; absent: neither. */
  readonly tracing?: Tracing;
}

/** A client with the connection that its calls give deadlines to. */
export interface TemporalClient {
  readonly connection: Connection;
  readonly client: Client;
}

/**
 * Why there is no answer. `undecided`: no answer came in time. `busy`: the workflow takes no more updates or has just
 * ended; ask again. `unreachable`: Temporal does not answer. The requested effect may still happen.
 */
export type NoAnswer = { readonly kind: 'undecided' | 'busy' | 'unreachable'; readonly cause: unknown };

const CONNECT_MS = 10_000;
const DESCRIBE_DEADLINE_MS = 5_000;
const MAX_RPC_ATTEMPTS = 4;
const GRPC = {
  cancelled: 1,
  unknown: 2,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  internal: 13,
  unavailable: 14,
} as const;
/** The workflow run ended while it was asked, or takes no more updates; another attempt finds another run. */
const BUSY_CODES: readonly number[] = [
  GRPC.resourceExhausted,
  GRPC.aborted,
  GRPC.failedPrecondition,
  GRPC.notFound,
];
const UNREACHABLE_CODES: readonly number[] = [GRPC.cancelled, GRPC.unknown, GRPC.internal, GRPC.unavailable];

/** Makes a client; nothing is sent before the first call. @throws TemporalSettingsError for files that cannot serve. */
export function openTemporal(settings: TemporalSettings): TemporalClient {
  const connection = Connection.lazy({
    ...optionsOf(settings),
    interceptors: [
      makeGrpcRetryInterceptor({ ...defaultGrpcRetryOptions(), retryableDecider: retryBriefly }),
    ],
    // With the default of two minutes a healthy Temporal would stay unreachable long after its restart.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 },
  });
  return { connection, client: clientOf(connection, settings) };
}

/** A client over a connection that is there, such as that of the schedules. */
export function clientOf(connection: Connection, settings: TemporalSettings): Client {
  const { temporalNamespace: namespace, tracing = NO_TRACING } = settings;
  const interceptors = { workflow: clientInterceptors(tracing) };
  return new Client({ connection, namespace, interceptors, dataConverter: dataConverterOf(settings) });
}

/**
 * Connects to Temporal, with the SDK's own retries.
 * @throws TemporalSettingsError naming a setting that is not accepted; another error when Temporal does not answer in time.
 */
export async function connectTemporal(
  access: TemporalAccess,
  connectTimeoutMs = CONNECT_MS,
): Promise<Connection> {
  await checkTemporal(access);
  return Connection.connect({ ...optionsOf(access), connectTimeout: connectTimeoutMs });
}

function optionsOf(access: TemporalAccess): ConnectionOptions {
  const tls = sdkTls(readTls(access));
  const apiKey = openApiKey(access);
  return {
    address: access.temporalAddress,
    ...(tls === null ? {} : { tls }),
    ...(apiKey === null ? {} : { apiKey: () => apiKey.current() }),
  };
}

/**
 * Retries a broken connection a few times at once. A full server is not retried here, because the caller waits for it.
 */
function retryBriefly(attempt: number, status: Parameters<typeof isRetryableError>[0]): boolean {
  const code: number = status.code;
  return attempt < MAX_RPC_ATTEMPTS && code !== GRPC.resourceExhausted && isRetryableError(status);
}

/** Whether a workflow runs. Throws when Temporal does not answer. */
export async function isRunning(temporal: TemporalClient, workflowId: string): Promise<boolean> {
  return (await statusOf(temporal, workflowId)) === 'RUNNING';
}

/** The status of the last run of a workflow; null for an unknown workflow. Throws when Temporal does not answer. */
export async function statusOf(
  { connection, client }: TemporalClient,
  workflowId: string,
): Promise<string | null> {
  try {
    const handle = client.workflow.getHandle(workflowId);
    const { status } = await connection.withDeadline(Date.now() + DESCRIBE_DEADLINE_MS, () =>
      handle.describe(),
    );
    return status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** Judges a failed call; a failure of no known kind is a fault of the service and is thrown on. */
export function noAnswerOf(error: unknown): NoAnswer {
  return { kind: kindOf(error), cause: error };
}

function kindOf(error: unknown): NoAnswer['kind'] {
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return 'undecided';
  // The workflow run ended after it took the update and before it answered.
  if (error instanceof WorkflowUpdateFailedError || error instanceof WorkflowNotFoundError) return 'busy';
  const code = grpcCodeOf(error);
  if (code === GRPC.deadlineExceeded) return 'undecided';
  if (code !== null && BUSY_CODES.includes(code)) return 'busy';
  if (code !== null && UNREACHABLE_CODES.includes(code)) return 'unreachable';
  throw error;
}

function grpcCodeOf(error: unknown): number | null {
  for (
    let current = error, depth = 0;
    current instanceof Error && depth < 5;
    current = current.cause, depth += 1
  ) {
    if (isGrpcServiceError(current)) return current.code;
  }
  return null;
}
