/** Health, readiness and metrics of processes that have no HTTP API of their own. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, register } from 'prom-client';

/** A running health server; `port` 0 when there is none. */
export interface HealthServer {
  readonly port: number;
  close(): void;
}

/**
 * Serves `/healthz` (the process answers), `/readyz` (its dependencies do; `check` throws what is wrong) and
 * `/metrics` on loopback. Port 0: serves nothing.
 */
export async function serveHealth(port: number, check: () => Promise<void>): Promise<HealthServer> {
  if (port === 0) return { port: 0, close: () => undefined };
  collectDefaultMetrics();
  const server = createServer((request, response) => {
    void answer(request.url ?? '/', check).then(({ status, type, body }) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return { port: boundPort(server), close: () => server.close() };
}

async function answer(
  path: string,
  check: () => Promise<void>,
): Promise<{ status: number; type: string; body: string }> {
  const json = 'application/json';
  if (path === '/healthz') return { status: 200, type: json, body: '{"ok":true}' };
  if (path === '/metrics') return { status: 200, type: register.contentType, body: await register.metrics() };
  if (path !== '/readyz')
    return { status: 404, type: json, body: '{"error":"There is no such path.","code":"NOT_FOUND"}' };
  try {
    await check();
    return { status: 200, type: json, body: '{"ok":true}' };
  } catch (error) {
    return {
      status: 503,
      type: json,
      body: JSON.stringify({ ok: false, detail: error instanceof Error ? error.message : String(error) }),
    };
  }
}

function boundPort(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
