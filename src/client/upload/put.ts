/**
 * One PUT to the object store, over connections that are kept. Bytes go out in slices, so that progress is seen and a
 * store that answers early is heard; a connection on which nothing moves is given up.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

import { ClientError } from '../errors.ts';
import { proxyEnvOf, proxyWords } from '../proxy.ts';
import { lostConnection, retryAfterOf } from '../transport.ts';
import { TransferRefusal } from './remedy.ts';
import type { PutTarget } from './remedy.ts';

/** Bytes that may be read several times. */
export interface PutBody {
  readonly byteLength: number;
  chunks(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Answer to a PUT that succeeded. */
export interface PutAnswer {
  readonly etag: string | null;
}

/** Sends bodies. */
export interface Putter {
  /**
   * `onBytes` hears of bytes as they go out, and of a negative number when an attempt has failed: what it had sent.
   * @throws ClientError CONNECTION_LOST, TRANSFER_REFUSED; its `reason` is the store's own code.
   */
  put(
    target: PutTarget,
    body: PutBody,
    signal: AbortSignal,
    onBytes: (bytes: number) => void,
  ): Promise<PutAnswer>;
  close(): void;
}

/** Headers that Node's request sets by itself. */
const COMPUTED_HEADERS = new Set(['content-length', 'host']);
const IDLE_MS = 60_000;
const SLICE_BYTES = 512 * 1024;
const LONGEST_ANSWER_BYTES = 64 * 1024;

/** The slices in which a buffer goes out; nothing is copied. */
export function* slicesOf(bytes: Uint8Array): Generator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.byteLength; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}

/** Makes a putter with connections of its own. */
export function createPutter(idleMs = IDLE_MS): Putter {
  const settings = { keepAlive: true, maxSockets: Infinity };
  const agents = {
    http: new HttpAgent({ ...settings, proxyEnv: proxyEnvOf('http:') }),
    https: new HttpsAgent({ ...settings, proxyEnv: proxyEnvOf('https:') }),
  };
  const open = (url: URL, headers: Record<string, string>, signal: AbortSignal): ClientRequest => {
    const options = { method: 'PUT', headers, signal, timeout: idleMs };
    return url.protocol === 'https:'
      ? httpsRequest(url, { ...options, agent: agents.https })
      : httpRequest(url, { ...options, agent: agents.http });
  };
  return {
    async put(target, body, signal, onBytes) {
      const url = new URL(target.url);
      const headers = headersOf(target.headers, body.byteLength);
      let sent = 0;
      const count = (bytes: number): void => {
        sent += bytes;
        onBytes(bytes);
      };
      try {
        signal.throwIfAborted();
        return await exchange(open(url, headers, signal), body, count);
      } catch (error) {
        onBytes(-sent);
        signal.throwIfAborted();
        throw error instanceof ClientError ? error : lostConnection(url, error, proxyWords);
      }
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function headersOf(signed: Readonly<Record<string, string>>, byteLength: number): Record<string, string> {
  const kept = Object.entries(signed).filter(([name]) => !COMPUTED_HEADERS.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), 'content-length': String(byteLength) };
}

async function exchange(
  request: ClientRequest,
  body: PutBody,
  onBytes: (bytes: number) => void,
): Promise<PutAnswer> {
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.once('timeout', () => {
      const silence = new Error('Nothing moved on the connection.');
      silence.name = 'TimeoutError';
      request.destroy(silence);
    });
  });
  // The failure is awaited below; until then it must not count as an unhandled rejection.
  answered.catch(() => undefined);
  const isWhole = await sendBody(request, body, onBytes);
  const response = await answered;
  try {
    return await readAnswer(response);
  } finally {
    // The rest of the body was not sent, so the connection cannot carry another request.
    if (!isWhole) request.destroy();
  }
}

/** @returns whether the whole body went out; not when the store answered before. */
async function sendBody(
  request: ClientRequest,
  body: PutBody,
  onBytes: (bytes: number) => void,
): Promise<boolean> {
  const flow = { isOver: false, wake: (): void => undefined };
  const end = (): void => {
    flow.isOver = true;
    flow.wake();
  };
  request.once('response', end);
  request.once('close', end);
  request.on('drain', () => flow.wake());
  for await (const chunk of body.chunks()) {
    if (flow.isOver) return false;
    const isTaken = request.write(chunk);
    onBytes(chunk.byteLength);
    if (isTaken) continue;
    await new Promise<void>((resolve) => {
      flow.wake = resolve;
      // The request is over already, so no event would end this wait.
      if (request.destroyed) resolve();
    });
  }
  request.end();
  return true;
}

async function readAnswer(response: IncomingMessage): Promise<PutAnswer> {
  const status = response.statusCode ?? 0;
  let text = '';
  response.setEncoding('utf8');
  for await (const piece of response) {
    if (typeof piece === 'string' && text.length < LONGEST_ANSWER_BYTES) text += piece;
  }
  const { etag } = response.headers;
  if (status >= 200 && status < 300) return { etag: etag ?? null };
  const retryAfter = response.headers['retry-after'];
  throw new TransferRefusal(
    status,
    /<Code>([^<]+)<\/Code>/.exec(text)?.[1] ?? null,
    retryAfter === undefined ? null : retryAfterOf(new Headers({ 'retry-after': retryAfter })),
  );
}
