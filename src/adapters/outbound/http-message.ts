/**
 * One message by POST over an open connection. The status decides; of the answer's body the first 4 KiB are kept and the rest is not
 * read. No redirect is followed, and no proxy of the environment is asked, because the connection is there already.
 */
import http from 'node:http';
import type { Duplex } from 'node:stream';

import type { Destination, OutboundFault, OutboundPost } from '../../domain/outbound.ts';

/** A message as it goes out. */
export interface OutboundMessage {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const KEPT_BYTES = 4 * 1024;
const LONGEST_HEADERS = 16 * 1024;
const DEFAULT_PORTS = { http: 80, https: 443 };

/** Sends the message. What the other side does wrong is a fault of the answer. */
export function postOverHttp(
  connection: Duplex,
  { protocol, host, port }: Destination & { readonly protocol: 'http' | 'https' },
  { path, headers, body }: OutboundMessage,
  signal: AbortSignal,
): Promise<OutboundPost> {
  const name = host.includes(':') ? `[${host}]` : host;
  const request = http.request({
    createConnection: () => connection,
    method: 'POST',
    path,
    maxHeaderSize: LONGEST_HEADERS,
    signal,
    headers: {
      ...headers,
      Host: port === DEFAULT_PORTS[protocol] ? name : `${name}:${port}`,
      'User-Agent': 'Dockyard',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    },
  });
  return new Promise((resolve) => {
    const kept: Buffer[] = [];
    let status: number | null = null;
    // A body that is cut off or never ends does not undo the status.
    const end = (): void => {
      const none = { fault: signal.aborted ? 'TIMED_OUT' : 'ANSWER_UNEXPECTED', status, body: null } as const;
      resolve(status === null ? none : { fault: faultOf(status), status, body: textOf(kept) });
      request.destroy();
    };
    request.on('error', end);
    request.on('response', (response) => {
      status = response.statusCode ?? 0;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        kept.push(chunk);
        bytes += chunk.length;
        if (bytes >= KEPT_BYTES) end();
      });
      for (const last of ['end', 'close', 'error']) response.once(last, end);
    });
    request.end(body);
  });
}

function faultOf(status: number): OutboundFault | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'REDIRECTED' : 'ANSWER_UNEXPECTED';
}

/** The beginning of a body as text that a database keeps, which holds no NUL. */
function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}
