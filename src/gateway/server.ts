/**
 * Runs the gateway: listens, then writes its row once a second, so that `up_since` says since when instances could reach
 * the gateway.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { GatewayService } from '../services/execution/gateway.ts';
import { createGatewayApp } from './app.ts';
import type { GatewayWatch, ReportFailure } from './app.ts';

const BEAT_MS = 1000;
const KEEP_ALIVE_MS = 65_000;

/** A gateway that answers requests. */
export interface RunningGateway {
  readonly port: number;
  /** Ends the gateway after the requests that are in flight. */
  close(): Promise<void>;
}

/** Starts a gateway; port 0 takes a free port. */
export async function startGateway(
  service: GatewayService,
  address: { readonly host: string; readonly port: number },
  report: ReportFailure,
  watch?: GatewayWatch,
): Promise<RunningGateway> {
  const handle = createGatewayApp(service, report, watch).callback();
  const server = createServer((request, response) => void handle(request, response));
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
      server.closeIdleConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The gateway listens on no port.');
  return address.port;
}
