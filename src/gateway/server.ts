/**
 * Runs the gateway: listens, then writes its row once a second, so that `up_since` says since when instances could reach
 * the gateway. With a certificate the gateway speaks TLS by itself, without one a balancer in front does. Calls of Temporal come over the
 * same port.
 */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { ServerOptions } from 'node:https';
import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { ServerCredentials } from '@grpc/grpc-js';

import type { GatewayService } from '../services/execution/gateway.ts';
import { createGatewayApp } from './app.ts';
import type { GatewayWatch, ReportFailure } from './app.ts';
import { readCertificate, watchCertificate } from './certificate.ts';
import type { CertificateFiles } from './certificate.ts';
import { shareConnections } from './one-port.ts';
import { createPassThrough } from './pass-through/pass-through.ts';
import type { PassThroughOptions } from './pass-through/pass-through.ts';

const BEAT_MS = 1000;
/** Longer than a balancer in front keeps an idle connection, so that the balancer never sends a request into a closed one. */
const KEEP_ALIVE_MS = 125_000;
/** How long calls of Temporal that are under way may take when the gateway stops. */
const LAST_CALLS_MS = 2_000;

/** Address at which a gateway listens, and its certificate; without one it speaks plain HTTP. */
export interface GatewayAddress {
  readonly host: string;
  readonly port: number;
  readonly certificate?: CertificateFiles | null;
  /** Called with what is wrong with changed certificate files; the certificate before stays. */
  readonly onCertificateFault?: (error: unknown) => void;
  /** Temporal, for the calls of instances; absent: there are no such calls. */
  readonly passThrough?: PassThroughOptions;
}

/** A gateway that answers requests. */
export interface RunningGateway {
  readonly port: number;
  /** Ends the gateway after the requests that are in flight. */
  close(): Promise<void>;
}

/** Starts a gateway; port 0 takes a free port. @throws Error naming the setting of a certificate that cannot serve. */
export async function startGateway(
  service: GatewayService,
  address: GatewayAddress,
  report: ReportFailure,
  watch?: GatewayWatch,
): Promise<RunningGateway> {
  const handle = createGatewayApp(service, report, watch).callback();
  const { certificate = null, onCertificateFault = () => undefined } = address;
  const listener: RequestListener = (request, response) => void handle(request, response);
  const tlsServer = certificate === null ? null : createTlsServer(securedBy(certificate), listener);
  const server = tlsServer ?? createServer(listener);
  const endPassThrough = openPassThrough(server, service, address);
  const endWatch =
    certificate === null || tlsServer === null
      ? () => undefined
      : watchCertificate(certificate, tlsServer, onCertificateFault);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  let beating = false;
  const beat = async (): Promise<void> => {
    // While the database does not answer one beat, no further beat is sent.
    if (beating) return;
    beating = true;
    await service.beat().catch(() => undefined);
    beating = false;
  };
  await beat();
  const timer = setInterval(() => void beat(), BEAT_MS);
  return {
    port: portOf(server.address()),
    async close() {
      clearInterval(timer);
      endWatch();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await endPassThrough();
      await closed;
    },
  };
}

function securedBy(certificate: CertificateFiles): ServerOptions {
  return { ...readCertificate(certificate), ALPNProtocols: ['h2', 'http/1.1'] };
}

/** Serves the calls of Temporal on the port of the server; the function that is answered ends them. */
function openPassThrough(
  server: HttpServer | HttpsServer,
  service: GatewayService,
  { passThrough }: GatewayAddress,
): () => Promise<void> {
  if (passThrough === undefined) return () => Promise.resolve();
  const calls = createPassThrough(service, passThrough);
  const injector = calls.server.createConnectionInjector(ServerCredentials.createInsecure());
  shareConnections(server, (socket) => injector.injectConnection(socket));
  return async () => {
    calls.endPolls();
    injector.drain(LAST_CALLS_MS);
    await new Promise<void>((resolve) => calls.server.tryShutdown(() => resolve()));
    injector.destroy();
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The gateway listens on no port.');
  return address.port;
}
