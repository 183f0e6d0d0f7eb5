/** Health, readiness and metrics of a process, on a port of their own that customers never reach. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';

import { collectDefaultMetrics, register } from 'prom-client';

import { registerDiskMetrics } from './disk-metrics.ts';

/** A running health server; `port` 0 when there is none. */
export interface HealthServer {
  readonly port: number;
  close(): void;
}

/** Address at which a process serves health and metrics; with port 0 the process serves neither. */
export interface HealthAddress {
  readonly healthHost: string;
  readonly healthPort: number;
  /** The folder of a process that keeps one; every process has its temporary files. */
  readonly computeDir?: string;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const JSON_TYPE = 'application/json';

/**
 * Serves `/healthz` (the process answers), `/readyz` (the dependencies of the process answer; `check` throws what is
 * wrong) and `/metrics` (metrics of the process, everything registered in prom-client's default registry, and what `more` answers).
 */
export async function serveHealth(
  { healthHost, healthPort, computeDir }: HealthAddress,
  check: () => Promise<void>,
  more: () => Promise<string> = () => Promise.resolve(''),
): Promise<HealthServer> {
  if (healthPort === 0) return { port: 0, close: () => undefined };
  collectDefaultMetrics();
  registerDiskMetrics(register, { tmp: tmpdir(), ...(computeDir === undefined ? {} : { data: computeDir }) });
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    void answer(path, check, more)
      .catch((error: unknown) => failed(500, error))
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type });
        response.end(body);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(healthPort, healthHost, resolve);
  });
  return {
    port: boundPort(server),
    close: () => {
      server.close();
      // A scraper keeps its connection open, and an open connection would keep the process from ending.
      server.closeAllConnections();
    },
  };
}

async function answer(
  path: string,
  check: () => Promise<void>,
  more: () => Promise<string>,
): Promise<Answer> {
  const ok = { status: 200, type: JSON_TYPE, body: '{"ok":true}' };
  switch (path) {
    case '/healthz':
      return ok;
    case '/metrics':
      return {
        status: 200,
        type: register.contentType,
        body: (await register.metrics()) + (await more()),
      };
    case '/readyz':
      return check().then(
        () => ok,
        (error: unknown) => failed(503, error),
      );
    default:
      return {
        status: 404,
        type: JSON_TYPE,
        body: '{"error":"There is no such path.","code":"NOT_FOUND"}',
      };
  }
}

function failed(status: number, error: unknown): Answer {
  const detail = error instanceof Error ? error.message : String(error);
  return { status, type: JSON_TYPE, body: JSON.stringify({ ok: false, detail }) };
}

function boundPort(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
