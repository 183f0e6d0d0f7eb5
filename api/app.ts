/**
 * The HTTP application. The order of the steps below is the order in which a request is judged: who are you, may you, how often,
 * is it well-formed, was it answered before; only then the service. Any step may end the request. A request of a network that has
 * used up its refusals is refused before all of them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

import Koa from 'koa';
import type { Logger } from 'pino';

import { NO_METRICS, type RequestMetrics } from '../src/metrics.ts';
import { discoveryEndpoints } from './discovery.ts';
import { API_BASE, endpoints } from './endpoints.ts';
import { healthEndpoints } from './health/routes.ts';
import { hookEndpoints } from './hooks/routes.ts';
import { accessLog } from './http/access-log.ts';
import { tellDeprecations } from './http/announced-deprecations.ts';
import { authenticate, authorize } from './http/authenticate.ts';
import type { BodyParser, BodyParserOptions } from './http/body-parser.ts';
import { createBodyParser } from './http/body-parser.ts';
import type { RequestState } from './http/context.ts';
import type { Endpoint } from './http/endpoint.ts';
import { answerErrors, logLateErrors } from './http/errors.ts';
import { createFloodGate } from './http/flood-gate.ts';
import { refuseAmbiguous } from './http/framing.ts';
import { handle } from './http/handle.ts';
import { headers } from './http/headers.ts';
import { measure } from './http/measure.ts';
import { limitRate } from './http/rate-limit.ts';
import type { RateLimitOptions, RateLimiter } from './http/rate-limiter.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { readBody, readRawBody } from './http/read-body.ts';
import { refuseOtherSites } from './http/same-origin.ts';
import { requestId } from './http/request-id.ts';
import type { RouteGroup } from './http/router.ts';
import { createRouteIndex } from './http/route-index.ts';
import { createRoutes } from './http/router.ts';
import { traceRequests, type RequestTraces } from './http/trace.ts';
import { validateAddress } from './http/validate.ts';
import { receiptKeyPages } from './receipts/routes.ts';
import { referenceEndpoints } from './reference.ts';
import type { Services } from './services.ts';
import { appHeaders, unknownPage, webAppEndpoints } from './web-app/index.ts';
import type { WebApp } from './web-app/index.ts';

export interface AppOptions {
  readonly logger: Logger;
  /** The endpoints under the base of the API; tests declare endpoints of their own. */
  readonly endpoints?: readonly Endpoint[];
  /** Counts requests; without it they are not counted. */
  readonly metrics?: RequestMetrics;
  readonly rateLimits?: RateLimitOptions;
  readonly bodyParser?: BodyParserOptions;
  /** How long a body may bring nothing; tests set this. */
  readonly bodyIdleMs?: number;
  /** The origin of the service's own pages, from which sessions write; without it only Sec-Fetch-Site tells them. */
  readonly publicOrigin?: string;
  /** Every answer is checked against its schema; tests set this. */
  readonly validateAnswers?: boolean;
  /** Makes spans of requests; without it none are made. */
  readonly traces?: RequestTraces;
  /** The web app, and the origin of the store that its pages send files to; without it there are no pages. */
  readonly web?: { readonly app: WebApp; readonly storeOrigin: string };
  /** The client's address is the last one in X-Forwarded-For; set this only behind a proxy that writes the header. */
  readonly trustProxy?: boolean;
}

/** The application: `callback` for an HTTP server, `close` when that server has ended. */
export interface App {
  readonly callback: (request: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** Makes the application over its services. */
export function createApp(services: Services, options: AppOptions): App {
  const { logger } = options;
  const limiter = createRateLimiter(options.rateLimits);
  const bodies = createBodyParser(options.bodyParser);

  const groups = groupsOf(services, options, { limiter, bodies });
  const { web } = options;
  const routes = createRoutes(
    groups,
    limiter,
    web === undefined ? () => false : unknownPage(web.app, web.storeOrigin),
  );
  const metrics = options.metrics ?? NO_METRICS;
  const trustProxy = options.trustProxy === true;
  const gate = createFloodGate({
    index: createRouteIndex(groups),
    identity: services.identity,
    limiter,
    trustProxy,
    logger,
    metrics,
  });

  const app = new Koa<RequestState>({ proxy: trustProxy, maxIpsCount: 1 });
  logLateErrors(app, logger);
  app.use(requestId());
  app.use(measure(metrics));
  app.use(accessLog(logger));
  if (options.traces?.tracing.isOn === true) app.use(traceRequests(options.traces, '/api/'));
  app.use(headers());
  app.use(answerErrors(logger));
  app.use(refuseAmbiguous());
  app.use(routes.matched);
  app.use(routes.unmatched);

  // This promise never rejects, because the error step has turned whatever a step throws into an answer or a log line.
  const respond = app.callback();
  return {
    callback: (request, response) => {
      if (!gate.refuses(request, response)) void respond(request, response);
    },
    async close() {
      gate.close();
      await bodies.close();
    },
  };
}

interface Shared {
  readonly limiter: RateLimiter;
  readonly bodies: BodyParser;
}

/** All endpoints, with the steps that their requests run through. */
function groupsOf(
  services: Services,
  options: AppOptions,
  { limiter, bodies }: Shared,
): readonly RouteGroup[] {
  const { logger, validateAnswers = false, publicOrigin = '' } = options;
  const customer: RouteGroup = {
    base: API_BASE,
    endpoints: options.endpoints ?? endpoints,
    chain: (endpoint) => [
      tellDeprecations(endpoint),
      authenticate(endpoint, services.identity, limiter),
      limitRate(limiter, endpoint.limit),
      refuseOtherSites(endpoint, publicOrigin),
      authorize(endpoint),
      validateAddress(endpoint),
      readBody(endpoint, bodies, options.bodyIdleMs),
      handle(endpoint, services, logger, validateAnswers),
    ],
  };
  const root: RouteGroup = {
    base: '',
    endpoints: healthEndpoints,
    // Load balancers and supervisors ask for health as often as they like.
    chain: (endpoint) => [handle(endpoint, services, logger, validateAnswers)],
  };
  const documents: RouteGroup = {
    base: '',
    endpoints: [...discoveryEndpoints, ...receiptKeyPages, ...referenceEndpoints],
    chain: (endpoint) => [
      limitRate(limiter, endpoint.limit),
      handle(endpoint, services, logger, validateAnswers),
    ],
  };

  const hooks: RouteGroup = {
    base: '',
    endpoints: hookEndpoints,
    // Events come in bursts from few addresses, and one that is refused comes again for days, so they have no limit but their size.
    chain: (endpoint) => [
      readRawBody(endpoint, options.bodyIdleMs),
      handle(endpoint, services, logger, validateAnswers),
    ],
  };

  const { web } = options;
  const pages: RouteGroup = {
    base: '',
    endpoints: web === undefined ? [] : webAppEndpoints(web.app, web.storeOrigin),
    chain: (endpoint) => [
      appHeaders(),
      limitRate(limiter, endpoint.limit),
      handle(endpoint, services, logger, validateAnswers),
    ],
  };
  return [root, documents, hooks, customer, pages];
}
