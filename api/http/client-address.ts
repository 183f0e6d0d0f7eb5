/** Address and scheme of a request, as Koa tells them once it has a context: the application reads the same from the same headers. */
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/** The address of the client: the last one in X-Forwarded-For behind a proxy that writes the header, else that of the connection. */
export function clientAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? textOf(headers['x-forwarded-for']) : '';
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  return last === '' ? (socket.remoteAddress ?? '') : last;
}

/** Whether the client has come over HTTPS. */
export function isSecure({ headers, socket }: IncomingMessage, trustProxy: boolean): boolean {
  if (socket instanceof TLSSocket) return true;
  const [proto = ''] = trustProxy ? textOf(headers['x-forwarded-proto']).split(',') : [];
  return proto.trim().toLowerCase() === 'https';
}

function textOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
