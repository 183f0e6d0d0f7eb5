/**
 * The gate before the application. A network that has used up its refusals is refused here, before its request costs anything:
 * no router, no look-up, no log line of its own. The answer is the one that the application would give. Callers who are known
 * pass, and so do endpoints that need no caller.
 *
 * One network gets so many refusals a second at once; the answers to further ones wait for their turn, so that a client that asks
 * again as soon as it has its answer is held up to that pace and takes no more of the process. At most a second's worth of answers
 * waits for each network, and so many in all; what comes beyond is answered at once, because that is cheaper than another connection.
 * Nothing is read from a client that does not take its answers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

import { countRequest } from '../../src/metrics.ts';
import type { RequestMetrics } from '../../src/metrics.ts';
import type { Services } from '../services.ts';
import { deprecationsToldAlways } from './announced-deprecations.ts';
import { clientAddress, isSecure } from './client-address.ts';
import { isKnownCaller } from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import { EVERY_ANSWER, OVER_HTTPS } from './headers.ts';
import { networkOf } from './networks.ts';
import { limitHeaders, refusalText } from './rate-limit.ts';
import type { RateLimitDecision, RateLimiter } from './rate-limiter.ts';
import { createRefusedTally } from './refused-tally.ts';
import { requestIdOf } from './request-id.ts';
import type { RouteIndex } from './route-index.ts';

export interface FloodGateDependencies {
  readonly index: RouteIndex;
  readonly identity: Services['identity'];
  readonly limiter: RateLimiter;
  readonly trustProxy: boolean;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
}

/** The gate. */
export interface FloodGate {
  /** Whether the request is refused here; the gate then answers it. */
  refuses(request: IncomingMessage, response: ServerResponse): boolean;
  close(): void;
}

/** Makes the gate. */
export function createFloodGate(deps: FloodGateDependencies): FloodGate {
  const { index, identity, limiter, trustProxy, logger, metrics } = deps;
  const tally = createRefusedTally(logger);
  const pace = new Pace();
  return {
    refuses(request, response) {
      if (!limiter.hasRefused()) return false;
      const network = networkOf(clientAddress(request, trustProxy));
      const decision = limiter.stillRefused('anonymous', network);
      if (decision === null || request.method === 'OPTIONS') return false;
      const endpoint = index(request.method ?? '', pathOf(request));
      if (endpoint?.access === 'none' || isKnownCaller(request.headers, identity)) return false;
      const requestId = requestIdOf(textOf(request.headers['x-request-id']));
      countRequest(metrics, response, () => endpoint?.operationId ?? null);
      tally.count(network, requestId);
      const answer = { requestId, endpoint, decision, secure: isSecure(request, trustProxy) };
      pace.answer(network, response, () => write(response, answer));
      return true;
    },
    close: () => tally.close(),
  };
}

/** The path as the router sees it: of an address with a host, too. */
function pathOf({ url = '' }: IncomingMessage): string {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

function textOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}

interface Refusal {
  readonly requestId: string;
  readonly endpoint: Endpoint | null;
  readonly decision: RateLimitDecision;
  readonly secure: boolean;
}

function write(response: ServerResponse, refusal: Refusal): void {
  const { requestId, endpoint, decision, secure } = refusal;
  const body = JSON.stringify({ error: refusalText(decision), code: 'RATE_LIMITED' });
  response.writeHead(429, {
    'X-Request-Id': requestId,
    ...EVERY_ANSWER,
    ...(secure ? OVER_HTTPS : {}),
    ...(endpoint === null ? {} : deprecationsOf(endpoint)),
    ...limitHeaders(decision),
    'Retry-After': String(decision.retryAfterSeconds),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

const told = new WeakMap<Endpoint, Readonly<Record<string, string>>>();

/** The deprecations that an endpoint always tells of, put together once. */
function deprecationsOf(endpoint: Endpoint): Readonly<Record<string, string>> {
  const known = told.get(endpoint) ?? deprecationsToldAlways(endpoint);
  told.set(endpoint, known);
  return known;
}

/** Refusals that a network gets in a second; as many at once after a second without any. */
const A_SECOND = 200;
const LONGEST_WAIT_MS = 1_000;
const MOST_WAITING = 2_000;
const NETWORKS = 10_000;

/** When answers leave. */
class Pace {
  /** When the next answer to a network is due. */
  readonly #due = new LRUCache<string, number>({ max: NETWORKS });
  #waiting = 0;

  answer(network: string, response: ServerResponse, write: () => void): void {
    const now = performance.now();
    const due = Math.max(this.#due.get(network) ?? 0, now - LONGEST_WAIT_MS);
    if (due - now > LONGEST_WAIT_MS || (due > now && this.#waiting >= MOST_WAITING)) return write();
    this.#due.set(network, due + LONGEST_WAIT_MS / A_SECOND);
    if (due <= now) return write();
    this.#waiting += 1;
    const timer = setTimeout(write, due - now);
    response.once('close', () => {
      this.#waiting -= 1;
      clearTimeout(timer);
    });
  }
}
