/**
 * The one way by which the service connects to a place that a customer names. A name is looked up once, all of its
 * addresses are judged, and the connection is made to an address that was judged, so a name that would lead to another address at a
 * second look-up gains nothing. Redirects are not followed. The whole attempt has three seconds. A customer is told a code of the
 * service, and never a byte of the other side.
 */
import net from 'node:net';
import tls from 'node:tls';

import type { Destination, DestinationFault, OutboundFault, OutboundPost } from '../../domain/outbound.ts';
import { createDestinationPolicy } from './destinations.ts';
import type { DestinationPolicy } from './destinations.ts';
import { postOverHttp } from './http-message.ts';
import type { OutboundMessage } from './http-message.ts';
import { askOverHttp } from './http-question.ts';
import type { Resolve } from './resolver.ts';
import { resolveByServers } from './resolver.ts';

/** Settings of the guard; a setting that is left out is as in production. */
export interface OutboundGuardOptions {
  /** Networks that operators allow besides the public internet, as CIDR. */
  readonly allowedNetworks: readonly string[];
  readonly resolve?: Resolve;
  readonly limitMs?: number;
  /** The time of a message; fifteen seconds without it. */
  readonly messageLimitMs?: number;
  /** Certificates to trust besides those of this machine, in PEM. */
  readonly certificates?: string;
}

/** Connects to places that customers name. */
export interface OutboundGuard {
  /** Finds the fault of a destination as it is written, without a connection or a look-up; null for none. */
  faultOf(destination: Pick<Destination, 'host' | 'port'>): DestinationFault | null;
  /** Finds the fault of a destination and of the addresses that its name leads to now, without a connection; null for none. */
  lookUp(destination: Pick<Destination, 'host' | 'port'>): Promise<OutboundFault | null>;
  /**
   * Connects, and with HTTP asks for `/`. The secret is sent as a bearer token, and only over TLS. Null when all went well;
   * whatever the other side does is a code and never an error that is thrown.
   */
  reach(destination: Destination, secret: string | null): Promise<OutboundFault | null>;
  /**
   * Sends a message by POST, once. Only an answer with a status of 2xx is good; whatever the other side does is in what is answered,
   * and never an error that is thrown.
   */
  post(destination: HttpDestination, message: OutboundMessage): Promise<OutboundPost>;
}

/** A place that takes messages. */
export type HttpDestination = Destination & { readonly protocol: 'http' | 'https' };

/** End of an attempt; the socket belongs to the caller. */
type Attempt = { readonly socket: net.Socket; readonly address: string } | { readonly fault: OutboundFault };

const LIMIT_MS = 3_000;
const MESSAGE_LIMIT_MS = 15_000;
/** More addresses of a name than these are not tried. */
const MOST_ADDRESSES = 4;

/** Makes the guard. @throws Error when an allowed network is written wrongly. */
export function createOutboundGuard(options: OutboundGuardOptions): OutboundGuard {
  const { allowedNetworks, resolve = resolveByServers, limitMs = LIMIT_MS, certificates } = options;
  const { messageLimitMs = MESSAGE_LIMIT_MS } = options;
  const policy = createDestinationPolicy(allowedNetworks);
  return {
    faultOf: (destination) => policy.faultOf(destination),
    async lookUp(destination) {
      const fault = policy.faultOf(destination);
      if (fault !== null) return fault;
      const signal = AbortSignal.timeout(limitMs);
      try {
        return faultOfAddresses(await addressesOf(destination.host, resolve, signal), policy);
      } catch (error) {
        if (signal.aborted) return 'TIMED_OUT';
        throw error;
      }
    },
    async reach(destination, secret) {
      const fault = policy.faultOf(destination);
      if (fault !== null) return fault;
      const signal = AbortSignal.timeout(limitMs);
      try {
        const attempt = await connect(destination, policy, resolve, signal);
        if ('fault' in attempt) return attempt.fault;
        return await converse(attempt.socket, destination, { secret, signal, certificates });
      } catch (error) {
        if (signal.aborted) return 'TIMED_OUT';
        throw error;
      }
    },
    async post(destination, message) {
      const fault = policy.faultOf(destination);
      if (fault !== null) return unanswered(fault);
      const signal = AbortSignal.timeout(messageLimitMs);
      try {
        const attempt = await connect(destination, policy, resolve, signal);
        if ('fault' in attempt) return unanswered(attempt.fault);
        const answer = await deliver(attempt.socket, destination, { message, signal, certificates });
        // An answer of a private network would be read out to whoever may name an address there.
        return policy.isPublic(attempt.address) ? answer : { ...answer, body: null };
      } catch (error) {
        if (signal.aborted) return unanswered('TIMED_OUT');
        throw error;
      }
    },
  };
}

function unanswered(fault: OutboundFault): OutboundPost {
  return { fault, status: null, body: null };
}

/** Connects to the first judged address that answers. */
async function connect(
  { host, port }: Destination,
  policy: DestinationPolicy,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Attempt> {
  const found = await addressesOf(host, resolve, signal);
  const fault = faultOfAddresses(found, policy);
  if (fault !== null) return { fault };
  for (const address of found.slice(0, MOST_ADDRESSES)) {
    const socket = await openSocket(address, port, signal);
    if (socket !== null) return { socket, address };
  }
  return { fault: 'CONNECTION_FAILED' };
}

async function addressesOf(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  return net.isIP(host) === 0 ? ended(resolve(host, signal), signal) : [host];
}

function faultOfAddresses(found: readonly string[], policy: DestinationPolicy): OutboundFault | null {
  // A name with one refused address is refused as a whole: only an attacker would mix refused addresses with public addresses.
  if (found.some((address) => !policy.allows(address))) return 'ADDRESS_REFUSED';
  return found.length === 0 ? 'NAME_UNKNOWN' : null;
}

/** Answers what the promise answers. Rejects when the signal comes first. */
async function ended<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new Error('The time for the connection is over.'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A connection to an address; null when the address takes no connection. Rejects when the signal comes first. */
async function openSocket(address: string, port: number, signal: AbortSignal): Promise<net.Socket | null> {
  signal.throwIfAborted();
  const socket = net.connect({ host: address, port });
  const opened = new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.on('error', () => resolve(false));
  });
  try {
    if (await ended(opened, signal)) return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.destroy();
  return null;
}

interface Conversation {
  readonly secret: string | null;
  readonly signal: AbortSignal;
  readonly certificates: string | undefined;
}

/** Speaks as the protocol says, and ends the connection. */
async function converse(
  socket: net.Socket,
  { protocol, host }: Destination,
  { secret, signal, certificates }: Conversation,
): Promise<OutboundFault | null> {
  try {
    if (protocol === 'tcp') return null;
    if (protocol === 'http') return await ended(askOverHttp(socket, host, null), signal);
    const secured = await ended(secure(socket, host, certificates), signal);
    return secured === null ? 'TLS_FAILED' : await ended(askOverHttp(secured, host, secret), signal);
  } finally {
    socket.destroy();
  }
}

interface Delivery {
  readonly message: OutboundMessage;
  readonly signal: AbortSignal;
  readonly certificates: string | undefined;
}

/** Sends a message over the connection, and ends the connection. */
async function deliver(
  socket: net.Socket,
  { protocol, host, port }: HttpDestination,
  { message, signal, certificates }: Delivery,
): Promise<OutboundPost> {
  try {
    const connection = protocol === 'http' ? socket : await ended(secure(socket, host, certificates), signal);
    if (connection === null) return unanswered('TLS_FAILED');
    return await postOverHttp(connection, { protocol, host, port }, message, signal);
  } finally {
    socket.destroy();
  }
}

/** TLS over a connection, with a certificate of the host that was named; null when the host proves no such certificate. */
function secure(
  socket: net.Socket,
  host: string,
  certificates: string | undefined,
): Promise<tls.TLSSocket | null> {
  const name = net.isIP(host) === 0 ? { servername: host } : {};
  const trust = certificates === undefined ? {} : { ca: [...tls.rootCertificates, certificates] };
  const secured = tls.connect({ socket, host, ...name, ...trust });
  return new Promise((resolve) => {
    secured.once('secureConnect', () => resolve(secured));
    secured.on('error', () => resolve(null));
    secured.once('close', () => resolve(null));
  });
}
