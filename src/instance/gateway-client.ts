/**
 * The instance's side of the compute gateway. An outage of the gateway delays a task and never fails the task: a call is
 * repeated with back-off for as long as the caller wants the answer. Only two answers end the instance: 409 FENCED, and
 * 401 for a token that the gateway does not accept any more.
 */
import { randomUUID } from 'node:crypto';

import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';

import { COMPUTE_PROTOCOL, PROTOCOL_HEADER } from '../contracts/instance.ts';
import type {
  BootstrapResponse,
  CheckpointRequest,
  ClaimRequest,
  ClaimResponse,
  ContactRequest,
  ContactResponse,
  InputUrlsRequest,
  InputUrlsResponse,
  MeterRequest,
  UploadUrlsRequest,
  UploadUrlsResponse,
} from '../contracts/instance.ts';
import type { WorkKind } from '../contracts/job.ts';
import { TRACE_HEADER } from '../contracts/tracing.ts';
import { isRecord } from '../domain/is-record.ts';
import type { LogPiece } from './log-collector.ts';
import { FencedError, RefusedError, repeat, TooLargeError } from './repeat.ts';

/** Calls of the gateway. All but `contact` are repeated until answered, refused or aborted. */
export interface GatewayClient {
  claim(request: ClaimRequest, signal: AbortSignal): Promise<ClaimResponse>;
  meter(request: MeterRequest, signal: AbortSignal): Promise<void>;
  inputUrls(request: InputUrlsRequest, signal: AbortSignal): Promise<InputUrlsResponse>;
  uploadUrls(request: UploadUrlsRequest, signal: AbortSignal): Promise<UploadUrlsResponse>;
  checkpoint(request: CheckpointRequest, signal: AbortSignal): Promise<void>;
  /** The first call, which gives the bearer of all others. */
  bootstrap(credential: string, signal: AbortSignal): Promise<BootstrapResponse>;
  /** Tried once, because the next contact follows after a few seconds. Its answer may bring the next bearer. */
  contact(request: ContactRequest): Promise<ContactResponse>;
  storeLog(task: LogTask, piece: LogPiece, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The attempt at a task that printed a log. */
export interface LogTask {
  readonly kind: WorkKind;
  readonly ordinal: number;
  readonly attempt: number;
}

/** Address of the gateway, and the reactions of an instance to its answers. */
export interface GatewayOptions {
  readonly url: string;
  /** The bearer that there is already; absent: the first call gives one. */
  readonly bearer?: string;
  /** Called with each further bearer. */
  readonly onBearer?: (bearer: string) => void;
  /** Called at each answer that says that the instance is fenced. */
  readonly onFenced: (reason: string) => void;
  /** The trace that a call belongs to; null for none. */
  readonly traceparent?: () => string | null;
}

const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 15_000;

/** Opens a client of the gateway; nothing is sent before the first call. */
export function createGatewayClient(options: GatewayOptions): GatewayClient {
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    keepAliveTimeout: 30_000,
  });
  let bearer = options.bearer ?? null;
  const takeBearer = (token: string): void => {
    bearer = token;
    options.onBearer?.(token);
  };
  const post = (path: string, body: string | Buffer, type: string): Promise<unknown> =>
    send(agent, options, bearer, { path, body, type });
  const postJson = (path: string, body: unknown): Promise<unknown> =>
    post(path, JSON.stringify(body), 'application/json');
  return {
    claim: (body, signal) =>
      repeat(signal, async () => expectShape(await postJson('/v1/tasks/claim', body), isClaimResponse)),
    meter: async (body, signal) => {
      await repeat(signal, () => postJson('/v1/tasks/meter', body));
    },
    inputUrls: (body, signal) =>
      repeat(signal, async () => expectShape(await postJson('/v1/tasks/inputs', body), isInputUrlsResponse)),
    uploadUrls: (body, signal) =>
      repeat(signal, async () =>
        expectShape(await postJson('/v1/tasks/upload-urls', body), isUploadUrlsResponse),
      ),
    checkpoint: async (body, signal) => {
      await repeat(signal, () => postJson('/v1/tasks/checkpoints', body));
    },
    async bootstrap(credential, signal) {
      const body = { credential, nonce: randomUUID() };
      const begun = await repeat(signal, async () =>
        expectShape(await postJson('/v1/bootstrap', body), isBootstrapResponse),
      );
      takeBearer(begun.token);
      return begun;
    },
    async contact(body) {
      const answer = expectShape(await postJson('/v1/contact', body), isContactResponse);
      if (answer.token !== undefined) takeBearer(answer.token);
      return answer;
    },
    storeLog: (task, piece, signal) =>
      repeat(signal, async () => {
        const path = `/v1/tasks/${task.kind}/${task.ordinal}/log?attempt=${task.attempt}&from=${piece.from}`;
        await post(path, piece.bytes, 'application/octet-stream');
      }),
    close: () => agent.destroy(),
  };
}

async function send(
  dispatcher: Dispatcher,
  { url, onFenced, traceparent = () => null }: GatewayOptions,
  bearer: string | null,
  { path, body, type }: { readonly path: string; readonly body: string | Buffer; readonly type: string },
): Promise<unknown> {
  const trace = traceparent();
  const answer = await request(new URL(path, url), {
    method: 'POST',
    dispatcher,
    body,
    headers: {
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
      'content-type': type,
      [PROTOCOL_HEADER]: String(COMPUTE_PROTOCOL),
      ...(trace === null ? {} : { [TRACE_HEADER]: trace }),
    },
  });
  const text = await answer.body.text();
  const { statusCode } = answer;
  if (statusCode === 204) return null;
  if (statusCode < 300) return JSON.parse(text);
  const { code, error } = envelopeIn(text);
  if (statusCode === 401 || code === 'FENCED') {
    onFenced(error);
    throw new FencedError(error);
  }
  if (statusCode >= 500 || statusCode === 429 || statusCode === 408)
    throw new Error(`${statusCode} ${error}`);
  if (code === 'PAYLOAD_TOO_LARGE') throw new TooLargeError(error);
  throw new RefusedError(`${statusCode} ${error}`);
}

function envelopeIn(text: string): { code: string; error: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return { code: '', error: '' };
    return { code: String(value['code']), error: String(value['error']) };
  } catch {
    return { code: '', error: 'The answer was no JSON.' };
  }
}

function expectShape<T>(value: unknown, isShape: (value: unknown) => value is T): T {
  if (isShape(value)) return value;
  throw new RefusedError('The gateway answered something else than the protocol says.');
}

function areRecords(value: unknown): boolean {
  return Array.isArray(value) && value.every(isRecord);
}

function isClaimResponse(value: unknown): value is ClaimResponse {
  if (!isRecord(value) || typeof value['toolId'] !== 'string') return false;
  return (
    isRecord(value['session']) &&
    isRecord(value['limits']) &&
    areRecords(value['inputs']) &&
    areRecords(value['tasks'])
  );
}

function isInputUrlsResponse(value: unknown): value is InputUrlsResponse {
  return isRecord(value) && areRecords(value['inputs']);
}

function isUploadUrlsResponse(value: unknown): value is UploadUrlsResponse {
  return isRecord(value) && areRecords(value['uploads']);
}

function isContactResponse(value: unknown): value is ContactResponse {
  if (!isRecord(value) || typeof value['stop'] !== 'boolean') return false;
  return value['token'] === undefined || typeof value['token'] === 'string';
}

function isBootstrapResponse(value: unknown): value is BootstrapResponse {
  if (!isRecord(value)) return false;
  const texts = [value['token'], value['jobId'], value['taskQueue']];
  const numbers = [value['slot'], value['generation'], value['vcpus'], value['toolSlots']];
  return texts.every((text) => typeof text === 'string') && numbers.every(Number.isInteger);
}
