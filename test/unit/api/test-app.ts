/** The application over fake services on a port of its own, for one test at a time. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';
import { pino } from 'pino';

import type { App, AppOptions } from '../../../api/app.ts';
import { createApp } from '../../../api/app.ts';
import { loggerOptions } from '../../../src/bin/process/logger.ts';
import type { RateLimitClass } from '../../../api/http/rate-limiter.ts';
import type { Services } from '../../../api/services.ts';
import type { Fakes } from './fake-services.ts';
import { createFakes } from './fake-services.ts';
import type { Loose } from './samples.ts';

export const KEY = 'svc_live_all';
export const DOCKING = { jobType: 'simulation', simulator: 'autodock-vina' };

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Loose;
}

export interface CallOptions {
  /** With null the request has no key. */
  readonly key?: string | null;
  readonly body?: unknown;
  /** Sent as it stands, in place of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

export interface TestAppOptions extends Pick<
  AppOptions,
  'trustProxy' | 'metrics' | 'traces' | 'endpoints' | 'bodyIdleMs' | 'bodyParser' | 'publicOrigin' | 'web'
> {
  /** Requests a minute of some kinds. */
  readonly quotas?: Partial<Record<RateLimitClass, number>>;
  /** Real services in the place of fakes. */
  readonly services?: Partial<Omit<Services, 'identity'>>;
  /** How the cookie of a session becomes its person. */
  readonly sessions?: Pick<Services['identity'], 'session' | 'wasSession'>;
}

/** A running application. */
export class TestApp {
  readonly fakes: Fakes = createFakes();
  readonly logged: Loose[] = [];
  readonly #app: App;
  readonly #server: http.Server;

  constructor({ quotas, services: real, sessions, ...options }: TestAppOptions = {}) {
    const logger = pino(loggerOptions('api', 'info'), {
      write: (line: string) => this.logged.push(JSON.parse(line)),
    });
    const rateLimits = { quotasPerMinute: { submit: 20, estimate: 2, ...quotas } };
    const { services: fakes } = this.fakes;
    const identity = { ...fakes.identity, ...sessions };
    this.#app = createApp(
      { ...fakes, ...real, identity },
      { logger, validateAnswers: true, rateLimits, ...options },
    );
    this.#server = http.createServer(this.#app.callback);
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#app.close();
  }

  /** Answers requests of another server. */
  get callback(): App['callback'] {
    return this.#app.callback;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async call(
    method: string,
    path: string,
    { key = KEY, body, raw, headers }: CallOptions = {},
  ): Promise<Reply> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const reply = await fetch(this.base + path, {
      ...{ method, redirect: 'manual' },
      headers: {
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await reply.text();
    const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    return { status: reply.status, headers: reply.headers, text, body: isJson ? JSON.parse(text) : null };
  }

  async submit(body: unknown, headers: Record<string, string> = {}, key = KEY): Promise<Reply> {
    return this.call('POST', '/api/v1/jobs/submit', { body, headers, key });
  }
}

/** Expects the closed error envelope with a status, a code and a request id. */
export function expectError(reply: Reply, expected: number, code: string): void {
  expect([reply.status, reply.body?.code], reply.text).to.deep.equal([expected, code]);
  expect(Object.keys(reply.body).sort()).to.deep.equal(['code', 'error']);
  expect(reply.headers.get('x-request-id')).to.be.a('string');
}
