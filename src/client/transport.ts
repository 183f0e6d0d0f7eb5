/**
 * One HTTP exchange with the API: address, key, deadline, errors. The caller says whether a call may be repeated, because
 * only an idempotency key makes repeating a POST safe; a call that may be repeated is repeated here.
 */
import { CLIENT_CODES, ClientError } from './errors.ts';
import { DEFAULT_RETRY, withRetry } from './retry.ts';
import type { RetryPolicy } from './retry.ts';

/** Address and key for the API. */
export interface ClientOptions {
  /** Root of the service, without `/api/v1`. */
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly retry?: Partial<RetryPolicy>;
  /** Longest time that one attempt may take. */
  readonly timeoutSeconds?: number;
  readonly userAgent?: string;
  readonly fetch?: typeof fetch;
}

/** Address and credentials for the API: the headers that name the caller. */
export interface TransportOptions extends Omit<ClientOptions, 'apiKey'> {
  readonly credentials: Readonly<Record<string, string>>;
  /** A mark that tells one caller from another and reveals nothing else of the key or session. */
  readonly keyMark: string;
  /** Says more of the way to an address that was not reached. */
  readonly wayWords?: (url: URL) => string;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Options of a call that has an effect. */
export interface WriteOptions extends CallOptions {
  /** 8 to 255 characters; the same key with the same request never has a second effect. */
  readonly idempotencyKey?: string;
}

/** Values of a query; those that are undefined are left out, and a list is one parameter that is repeated. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** One call. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v1`. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Repeating it has no further effect. */
  readonly repeatable: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutSeconds?: number | undefined;
  /** Attempts in place of the policy's. */
  readonly attempts?: number | undefined;
}

/** An answer with status 2xx or 304. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The bytes as UTF-8. */
  readonly text: string;
}

/** Sends calls. */
export interface Transport {
  /** Root of the service. */
  readonly apiUrl: string;
  /** A mark that tells one caller from another and reveals nothing else of the key or session. */
  readonly keyMark: string;
  readonly retry: RetryPolicy;
  readonly fetch: typeof fetch;
  send(call: Call): Promise<Answer>;
  /** Opens a stream of events, whose parts come as long as the signal lets them; null where the answer is none. */
  open(call: Call): Promise<AsyncIterable<Uint8Array> | null>;
  /** Sends a call and reads a JSON object; the shape of the object is what the contract says and is not checked. */
  json<T extends object>(call: Call): Promise<T>;
}

const DEFAULT_TIMEOUT_SECONDS = 60;

/** Makes a transport; nothing is sent before the first call. */
export function createTransport(options: TransportOptions): Transport {
  const retry = { ...DEFAULT_RETRY, ...options.retry };
  const fetcher = options.fetch ?? fetch;
  const send = async (call: Call): Promise<Answer> => {
    const once = (): Promise<Answer> => exchange(fetcher, options, call);
    const policy = { ...retry, attempts: call.attempts ?? retry.attempts };
    return call.repeatable ? withRetry(policy, call.signal, once) : once();
  };
  return {
    apiUrl: options.apiUrl.replace(/\/+$/, ''),
    keyMark: options.keyMark,
    retry,
    fetch: fetcher,
    send,
    async open(call) {
      const url = addressOf(options.apiUrl, call);
      try {
        const response = await ask(fetcher, url, options, call, call.signal);
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
        if (isStream && response.body !== null) return chunksOf(response.body);
        const answer = await answerOf(response);
        if (!response.ok) throw refusalOf(answer);
        return null;
      } catch (error) {
        throw error instanceof ClientError ? error : lostConnection(url, error, options.wayWords);
      }
    },
    async json<T extends object>(call: Call): Promise<T> {
      return parse<T>(await send(call));
    },
  };
}

/** The JSON object of an answer. @throws ClientError when it is none. */
export function parse<T extends object>(answer: Omit<Answer, 'bytes'>): T {
  const value = parseJson(answer.text);
  if (isObject<T>(value)) return value;
  throw new ClientError(`The answer is not a JSON object: ${answer.text.slice(0, 200)}`, {
    status: answer.status,
    code: CLIENT_CODES.unexpectedAnswer,
    requestId: answer.headers.get('x-request-id'),
  });
}

async function exchange(fetcher: typeof fetch, options: TransportOptions, call: Call): Promise<Answer> {
  const url = addressOf(options.apiUrl, call);
  const deadline = AbortSignal.timeout(
    (call.timeoutSeconds ?? options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
  );
  const signal = call.signal === undefined ? deadline : AbortSignal.any([call.signal, deadline]);
  try {
    const response = await ask(fetcher, url, options, call, signal);
    const answer = await answerOf(response);
    if (response.ok || response.status === 304) return answer;
    throw refusalOf(answer);
  } catch (error) {
    throw call.signal?.aborted === true || error instanceof ClientError
      ? error
      : lostConnection(url, error, options.wayWords);
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  return {
    status,
    headers,
    bytes,
    // Read when it is asked for: a file may be longer than a text can be.
    get text() {
      return new TextDecoder().decode(bytes);
    },
  };
}

function ask(
  fetcher: typeof fetch,
  url: URL,
  options: TransportOptions,
  call: Call,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = new Headers({
    ...options.credentials,
    accept: 'application/json',
    ...(options.userAgent === undefined ? {} : { 'user-agent': options.userAgent }),
    ...call.headers,
  });
  if (call.body !== undefined) headers.set('content-type', 'application/json');
  return fetcher(url, {
    method: call.method,
    headers,
    ...(signal === undefined ? {} : { signal }),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
}

/** The chunks of a body; not every browser gives them by itself. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function addressOf(apiUrl: string, { path, query = {} }: Call): URL {
  const url = new URL(`${apiUrl.replace(/\/+$/, '')}/api/v1${path}`);
  for (const [name, value] of Object.entries(query)) {
    const values = value === undefined ? [] : typeof value === 'object' ? value : [String(value)];
    for (const one of values) url.searchParams.append(name, one);
  }
  return url;
}

/** An exchange without an answer, as the client's error. */
export function lostConnection(
  url: URL,
  cause: unknown,
  wayWords: (url: URL) => string = () => '',
): ClientError {
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError';
  const reason = timedOut ? 'did not answer in time' : 'cannot be reached';
  return new ClientError(`${url.origin} ${reason}.${wayWords(url)}`, {
    status: 0,
    code: CLIENT_CODES.connectionLost,
    cause,
  });
}

function refusalOf({ status, headers, text }: Answer): ClientError {
  const body = parseJson(text);
  const envelope = isObject<Record<string, unknown>>(body) ? body : {};
  const { error, code, currentVersion } = envelope;
  return new ClientError(typeof error === 'string' ? error : `The service answered ${status}.`, {
    status,
    code: typeof code === 'string' ? code : CLIENT_CODES.unexpectedAnswer,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: retryAfterOf(headers),
    currentVersion: typeof currentVersion === 'number' ? currentVersion : null,
  });
}

/** Seconds of a Retry-After header, which may be a number or a date. */
export function retryAfterOf(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
}

function isObject<T extends object>(value: unknown): value is T {
  return typeof value === 'object' && value !== null;
}
