/**
 * Temporal behind TLS: a terminating proxy in front of a dev server, as a balancer or Temporal Cloud stands there. It asks for a
 * certificate of its own authority and for an API key, and counts whom it lets in and refuses.
 */
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import type { ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';

import type { Certificate } from './object-store.ts';

export interface DoorOptions {
  /** The authority whose certificates are let in. */
  readonly caFile: string;
  readonly certificate: Certificate;
  readonly apiKey: string;
  /** Finds Temporal; asked at each call, because the stack behind may choose its port after the door is open. */
  readonly upstream: () => string;
}

/** The door. */
export interface TemporalDoor {
  readonly address: string;
  /** From now on these keys are let in. */
  letIn(...apiKeys: string[]): void;
  /** How many calls came with a key. */
  callsWith(apiKey: string): number;
  /** The paths that were called, with how often. */
  readonly calls: ReadonlyMap<string, number>;
  /** The names in the certificates of those who were let in. */
  readonly clients: ReadonlySet<string>;
  /** How many calls came without the key. */
  refused(): number;
  close(): Promise<void>;
}

const UNAUTHENTICATED = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' };
const UNAVAILABLE = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '14' };
/** Headers that are of one connection. */
const OF_CONNECTION = [':authority', ':scheme', 'authorization'];

/** Opens the door on a free port. */
export async function openTemporalDoor(options: DoorOptions): Promise<TemporalDoor> {
  let keys = [options.apiKey];
  const used = new Map<string, number>();
  let refusals = 0;
  const calls = new Map<string, number>();
  const clients = new Set<string>();
  const sessions = new Set<http2.Http2Session>();
  let behind: http2.ClientHttp2Session | null = null;
  const upstream = (): http2.ClientHttp2Session => {
    if (behind === null || behind.closed || behind.destroyed) {
      behind = http2.connect(`http://${options.upstream()}`);
      behind.on('error', () => undefined);
      sessions.add(behind);
    }
    return behind;
  };
  const server = http2.createSecureServer({
    cert: readFileSync(options.certificate.certFile),
    key: readFileSync(options.certificate.keyFile),
    ca: readFileSync(options.caFile),
    requestCert: true,
    rejectUnauthorized: true,
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => undefined);
    clients.add(String((session.socket as TLSSocket).getPeerCertificate().subject.CN));
  });
  server.on('stream', (stream, headers) => {
    const path = headers[':path'] ?? '';
    calls.set(path, (calls.get(path) ?? 0) + 1);
    const key = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    used.set(key, (used.get(key) ?? 0) + 1);
    if (keys.includes(key)) return pass(stream, headers, upstream());
    refusals += 1;
    stream.on('error', () => undefined);
    stream.respond(UNAUTHENTICATED, { endStream: true });
    stream.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    letIn: (...apiKeys) => void (keys = apiKeys),
    callsWith: (key) => used.get(key) ?? 0,
    calls,
    clients,
    refused: () => refusals,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

/** Passes one call on, with its trailers, and its end in either direction. */
function pass(
  stream: ServerHttp2Stream,
  headers: http2.IncomingHttpHeaders,
  session: http2.ClientHttp2Session,
): void {
  const sent = Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name));
  const call = session.request(Object.fromEntries(sent));
  let trailers: http2.IncomingHttpHeaders = {};
  stream.on('error', () => call.close());
  stream.on('close', () => call.close());
  call.on('error', () => {
    if (stream.headersSent) stream.close();
    else if (!stream.destroyed) stream.respond(UNAVAILABLE, { endStream: true });
  });
  call.on('trailers', (found) => (trailers = found));
  call.on('response', (found, flags) => {
    if (stream.destroyed) return;
    const isWhole = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(found, isWhole ? { endStream: true } : { waitForTrailers: true });
    if (isWhole) return;
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    // The trailers come after the last byte, so the answer is ended when Temporal has ended the call.
    call.pipe(stream, { end: false });
    call.on('end', () => stream.end());
  });
  stream.pipe(call);
}
