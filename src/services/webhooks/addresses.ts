/** Addresses of webhooks: https alone, and http to loopback where that is allowed for development. */
import { isIP } from 'node:net';

import type { HttpDestination } from '../../adapters/outbound/guard.ts';

/** An address that may be looked up, or what is wrong with its form. */
export type ReadAddress =
  | { readonly href: string; readonly destination: HttpDestination; readonly path: string }
  | { readonly refusal: string };

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const PORTS = { http: 80, https: 443 };

/** Networks that the guard allows besides others where http to loopback is possible. */
export const LOOPBACK_NETWORKS = ['127.0.0.0/8', '::1/128'];

/** Reads an address. */
export function addressOf(text: string, allowsLoopback: boolean): ReadAddress {
  if (!URL.canParse(text)) return { refusal: 'This is no address such as https://example.org/hooks.' };
  const url = new URL(text);
  const named = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isLoopback = allowsLoopback && LOOPBACK.has(named);
  const protocol = url.protocol.slice(0, -1);
  if (protocol !== 'https' && !(protocol === 'http' && isLoopback))
    return { refusal: 'The address must begin with https://.' };
  if (url.username !== '' || url.password !== '')
    return { refusal: 'The address must have no user and password; the signature says who sends.' };
  if (url.hash !== '') return { refusal: 'The address must have no fragment, which is never sent.' };
  // The name servers do not know this name, and the file of hosts is not asked.
  const host = isLoopback && isIP(named) === 0 ? '127.0.0.1' : named;
  const port = url.port === '' ? PORTS[protocol] : Number(url.port);
  return { href: url.href, destination: { protocol, host, port }, path: `${url.pathname}${url.search}` };
}
