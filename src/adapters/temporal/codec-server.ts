/**
 * The server that opens and seals payloads for Temporal's UI and command line, which have no keys. Every caller shows the bearer;
 * the pages of the listed origins may ask from a browser. An unsealed payload comes back as it is.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Payload, PayloadCodec } from '@temporalio/common';

import { AppError, envelopeOf } from '../../domain/errors.ts';
import { isRecord } from '../../domain/is-record.ts';

/** Codec and address of the server, and the callers that it answers. */
export interface CodecServerOptions {
  readonly codec: PayloadCodec;
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly origins: readonly string[];
}

/** A running server. */
export interface CodecServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A page of a history with its payloads as base64. */
const BODY_BYTES = 32 * 1024 * 1024;
const PREFLIGHT_SECONDS = 600;
const PATH = /^\/(?:[^/]+\/)?(encode|decode)$/;

/** Starts the server; port 0 takes a free port. */
export async function startCodecServer(options: CodecServerOptions): Promise<CodecServer> {
  const server = createServer((request, response) => {
    void answer(options, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    url: urlOf(server.address()),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  options: CodecServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  allowOrigin(options.origins, request, response);
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  const { status, body } = await serve(options, request).then(
    (payloads) => ({ status: 200, body: { payloads: payloads.map(jsonOf) } }),
    (error: unknown) => {
      const known = error instanceof AppError ? error : unopened(error);
      return { status: known.status, body: envelopeOf(known) };
    },
  );
  if (status === 401) response.setHeader('www-authenticate', 'Bearer');
  // The rest of a body that was not read to its end would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function serve({ codec, token }: CodecServerOptions, request: IncomingMessage): Promise<Payload[]> {
  if (!isBearer(request.headers.authorization, token))
    throw new AppError('UNAUTHORIZED', 'This needs the bearer of the codec server.');
  const [path = ''] = (request.url ?? '').split('?');
  const [, call] = PATH.exec(path) ?? [];
  if (call === undefined || request.method !== 'POST')
    throw new AppError('NOT_FOUND', 'There is POST /decode and POST /encode.');
  const payloads = payloadsIn(await bodyOf(request));
  return call === 'decode' ? codec.decode(payloads) : codec.encode(payloads);
}

/** A payload that does not open: its key is not in the ring, or its bytes were changed. */
function unopened(error: unknown): AppError {
  const message = error instanceof Error ? error.message : String(error);
  return new AppError('VALIDATION_ERROR', message, { cause: error });
}

function allowOrigin(
  origins: readonly string[],
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader('vary', 'Origin');
  const { origin } = headers;
  if (origin === undefined || !origins.includes(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
  response.setHeader('access-control-allow-headers', 'authorization, content-type, x-namespace');
  response.setHeader('access-control-max-age', String(PREFLIGHT_SECONDS));
}

/** The digests are compared, because their lengths are the same and the time of a comparison then tells nothing. */
function isBearer(header: string | undefined, token: string): boolean {
  const [scheme, given = ''] = (header ?? '').split(' ');
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return scheme?.toLowerCase() === 'bearer' && timingSafeEqual(digest(given), digest(token));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= BODY_BYTES) chunks.push(chunk);
    else request.emit('large');
  });
  await new Promise<void>((resolve, reject) => {
    request.once('large', () => reject(new AppError('PAYLOAD_TOO_LARGE', 'The payloads are too large.')));
    request.once('error', reject);
    request.once('end', resolve);
  });
  return Buffer.concat(chunks).toString('utf8');
}

function payloadsIn(text: string): Payload[] {
  const wrong = (): AppError =>
    new AppError(
      'VALIDATION_ERROR',
      'The body must be { payloads: [{ metadata, data }] } with base64 in it.',
    );
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw wrong();
  }
  // In the JSON of protobuf an empty list is left out.
  const payloads: unknown = isRecord(body) ? (body['payloads'] ?? []) : undefined;
  if (!Array.isArray(payloads)) throw wrong();
  return payloads.map((payload: unknown) => {
    if (!isRecord(payload)) throw wrong();
    const metadata: unknown = payload['metadata'] ?? {};
    const data: unknown = payload['data'] ?? '';
    if (!isRecord(metadata) || typeof data !== 'string') throw wrong();
    const entries = Object.entries(metadata).map(([name, value]): [string, Buffer] => {
      if (typeof value !== 'string') throw wrong();
      return [name, Buffer.from(value, 'base64')];
    });
    return { metadata: Object.fromEntries(entries), data: Buffer.from(data, 'base64') };
  });
}

function jsonOf({ metadata, data }: Payload): object {
  const entries = Object.entries(metadata ?? {}).map(([name, value]): [string, string] => [
    name,
    base64(value),
  ]);
  return { metadata: Object.fromEntries(entries), data: base64(data ?? new Uint8Array()) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string')
    throw new Error('The codec server listens on no port.');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
