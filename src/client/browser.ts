/**
 * The client of a page of the service: the browser adds the cookie of the session, and every operation is called by its path, typed by
 * the document. Calls are repeated as those of programs are, and fail as theirs. A page of another origin has no session here.
 */
import type { paths } from './api-types.ts';
import { readEvents } from './events.ts';
import type { EventOptions } from './events.ts';
import { createTransport, parse } from './transport.ts';
import type { Answer, Call, Query, TransportOptions } from './transport.ts';
import type { AccountEvent, MultipartCompleteResponse } from './types.ts';
import { sendFile } from './upload/from-page.ts';
import type { PageUpload } from './upload/from-page.ts';

export { CLIENT_CODES, ClientError, localError } from './errors.ts';
export type { EventOptions, EventWay, ResultsChange } from './events.ts';
export type { components } from './api-types.ts';
export type { AccountEvent } from './types.ts';
export { hasEnded } from './watch.ts';
export type { PagePut, PageUpload } from './upload/from-page.ts';
export type { UploadProgress } from './upload/meter.ts';
export { TransferRefusal } from './upload/remedy.ts';

/** The method of an operation. */
export type Method = 'get' | 'post' | 'put' | 'delete';

/** Paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

/** The operation of a method and a path. */
type Operation<M extends Method, P extends PathOf<M>> = paths[P][M];

/** The answer of an operation that has succeeded. */
export type AnswerOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer Responses }
    ? Responses[keyof Responses & (200 | 201 | 202)] extends { content: { 'application/json': infer Body } }
      ? Body
      : undefined
    : never;

type ParametersOf<O, Place extends string> = O extends { parameters: { [K in Place]: infer V } } ? V : never;
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer Body } } }
  ? Body
  : O extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? Body | undefined
    : undefined;
type PathParameters<O> = [ParametersOf<O, 'path'>] extends [never]
  ? unknown
  : ParametersOf<O, 'path'> extends undefined
    ? unknown
    : { readonly path: ParametersOf<O, 'path'> };
type WithBody<O> = undefined extends BodyOf<O> ? { readonly body?: BodyOf<O> } : { readonly body: BodyOf<O> };

/** The input of a call of an operation. */
export type CallInput<M extends Method, P extends PathOf<M>> = PathParameters<Operation<M, P>> &
  WithBody<Operation<M, P>> & {
    readonly query?: NonNullable<Operation<M, P> extends { parameters: { query?: infer V } } ? V : undefined>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal | undefined;
    readonly timeoutSeconds?: number;
    /** Attempts in all; a call without an idempotency key that is not repeatable by its nature has one. */
    readonly attempts?: number;
  };

/** The operations of the API, by method and path. Every one throws ClientError. */
export interface BrowserClient {
  get<P extends PathOf<'get'>>(path: P, input: CallInput<'get', P>): Promise<AnswerOf<'get', P>>;
  put<P extends PathOf<'put'>>(path: P, input: CallInput<'put', P>): Promise<AnswerOf<'put', P>>;
  delete<P extends PathOf<'delete'>>(path: P, input: CallInput<'delete', P>): Promise<AnswerOf<'delete', P>>;
  /** Sends what has an effect: under its key it may be repeated, and without one it is sent once. */
  post<P extends PathOf<'post'>>(
    path: P,
    input: CallInput<'post', P> & { readonly idempotencyKey: string | null },
  ): Promise<AnswerOf<'post', P>>;
  /** Reads a text, such as the log of a task. */
  text(path: PathOf<'get'>, input: LooseInput): Promise<string>;
  events(options: EventOptions): AsyncGenerator<AccountEvent, void, void>;
}

/** The input of a call of any operation. */
export interface LooseInput {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutSeconds?: number | undefined;
  readonly attempts?: number | undefined;
}

/** Makes the client of a page. */
export function createBrowserClient(
  options: Pick<TransportOptions, 'apiUrl' | 'retry' | 'timeoutSeconds' | 'fetch'>,
): BrowserClient {
  const transport = createTransport({ ...options, credentials: {}, keyMark: '' });
  const send = async <T>(
    method: Call['method'],
    path: string,
    input: LooseInput,
    repeatable: boolean,
  ): Promise<T> => {
    const answer = await transport.send({ ...callOf(method, path, input), repeatable });
    return bodyOf<T>(answer);
  };
  return {
    get: (path, input) => send('GET', path, input, true),
    put: (path, input) => send('PUT', path, input, true),
    delete: (path, input) => send('DELETE', path, input, true),
    post: (path, { idempotencyKey, ...input }) =>
      idempotencyKey === null
        ? send('POST', path, input, false)
        : send('POST', path, { ...input, headers: { 'idempotency-key': idempotencyKey } }, true),
    async text(path, input) {
      const call = callOf('GET', path, { ...input, headers: { accept: 'text/plain', ...input.headers } });
      return (await transport.send({ ...call, repeatable: true })).text;
    },
    events: (eventOptions) => readEvents(transport, eventOptions),
  };
}

/** The body of an answer, which has the shape that the document says, or is missing. */
function bodyOf<T>(answer: Answer): T {
  const body = answer.bytes.byteLength === 0 ? undefined : parse<object>(answer);
  if (isBody<T>(body)) return body;
  throw new TypeError('A body is an object.');
}

function isBody<T>(body: unknown): body is T {
  return body === undefined || typeof body === 'object';
}

function callOf(method: Call['method'], template: string, input: LooseInput): Omit<Call, 'repeatable'> {
  const { path = {}, query, ...rest } = input;
  const values = new Map<string, unknown>(Object.entries(path));
  return {
    ...rest,
    method,
    path: template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(values.get(name))),
    ),
    query: queryOf(query),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : value === undefined ? undefined : JSON.stringify(value);
}

function queryOf(query: object | undefined): Query {
  const entries = Object.entries(query ?? {}).map(([name, value]: [string, unknown]) => {
    const texts = Array.isArray(value) ? value.map(String) : textOf(value);
    return [name, texts] as const;
  });
  return Object.fromEntries(entries);
}

/** The service answers a completion after 25 s at most; a proxy in front may add to that. */
const COMPLETE_TIMEOUT_SECONDS = 90;

/** Sends a file of a page, or goes on with an unfinished upload of it. */
export function uploadFromPage(
  client: BrowserClient,
  upload: PageUpload,
): Promise<MultipartCompleteResponse> {
  const keyed = (): { readonly idempotencyKey: string } => ({ idempotencyKey: crypto.randomUUID() });
  return sendFile(
    {
      init: (body, call) => client.post('/uploads', { body, ...call, ...keyed() }),
      status: (uploadId, call) => client.get('/uploads/{uploadId}', { path: { uploadId }, ...call }),
      partUrls: (uploadId, body, call) =>
        client.post('/uploads/{uploadId}/parts', { path: { uploadId }, body, ...call, ...keyed() }),
      complete: (uploadId, body, call) =>
        client.post('/uploads/{uploadId}/complete', {
          path: { uploadId },
          body,
          ...call,
          ...keyed(),
          timeoutSeconds: COMPLETE_TIMEOUT_SECONDS,
        }),
    },
    upload,
  );
}
