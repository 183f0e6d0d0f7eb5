/** What a network sends that has used up its refusals is refused before the application, and nobody sees a difference. */
import http from 'node:http';

import { expect } from 'chai';
import { pino } from 'pino';

import { endpoints } from '../../../api/endpoints.ts';
import { createRefusedTally } from '../../../api/http/refused-tally.ts';
import { createRouteIndex } from '../../../api/http/route-index.ts';
import { until } from '../../support/until.ts';
import { KEY, TestApp, expectError } from './test-app.ts';
import type { Reply } from './test-app.ts';
import { wholePath } from '../../../api/http/endpoint.ts';

const QUOTA = 3;
const BALANCE = '/api/v1/credits/balance';
/** What differs between two equal answers. */
const OF_THE_MOMENT = ['date', 'x-request-id'];

interface GateCall {
  readonly method?: string;
  readonly path?: string;
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

describe('a network that has used up its refusals', () => {
  let app: TestApp;
  let networks = 0;
  beforeEach(async () => {
    app = await new TestApp({ trustProxy: true, quotas: { anonymous: QUOTA, public: 10_000 } }).start();
  });
  afterEach(() => app.stop());

  const someNetwork = (): string => `10.1.${(networks += 1) >> 8}.${networks & 255}`;
  const ask = (
    from: string,
    { method = 'GET', path = BALANCE, key = 'guess', headers = {}, body }: GateCall = {},
  ): Promise<Reply> =>
    app.call(method, path, { key, body, headers: { 'x-forwarded-for': from, ...headers } });
  const useUp = async (from: string): Promise<void> => {
    for (let call = 0; call < QUOTA; call += 1) expectError(await ask(from), 401, 'UNAUTHORIZED');
  };
  /** The first refusal is that of the application, and all others are those of the gate. */
  const refusedTwice = async (from: string, call: GateCall): Promise<readonly Reply[]> => {
    await useUp(from);
    const before = app.logged.length;
    const replies = [await ask(from, call), await ask(from, call)];
    await until('the log line of the first', () => app.logged.length > before);
    expect(app.logged.slice(before).map(({ msg }) => msg)).to.deep.equal(['request']);
    return replies;
  };
  const headersOf = ({ headers }: Reply): Record<string, string> =>
    Object.fromEntries([...headers].filter(([name]) => !OF_THE_MOMENT.includes(name)));

  for (const [name, call] of [
    ['a read', {}],
    ['a read of the headers alone', { method: 'HEAD' }],
    ['a write', { method: 'POST', path: '/api/v1/jobs/submit', body: { any: 'thing' } }],
    ['an endpoint that tells of deprecations', { path: '/api/v1/jobs' }],
    ['a path that is none', { path: '/api/v1/nothing?at=all' }],
    ['a method that is none', { method: 'DELETE', path: BALANCE }],
    ['a call without a key', { key: null }],
    ['a call through a proxy with HTTPS', { headers: { 'x-forwarded-proto': 'https' } }],
    ['a call with an id of its own', { headers: { 'x-request-id': 'mine' } }],
  ] as const)
    it(`is answered as by the application: ${name}`, async () => {
      const [first, second] = await refusedTwice(someNetwork(), call);
      if (first === undefined || second === undefined) throw new Error('no answers');
      expect(second.status).to.equal(429);
      expect(headersOf(second)).to.deep.equal(headersOf(first));
      expect(second.text).to.equal(first.text);
      expect(second.headers.get('x-request-id')).to.match(/^(mine|[0-9a-f-]{36})$/);
      expect(Number(second.headers.get('retry-after'))).to.be.within(1, 60);
    });

  it('keeps out no caller who is known, nor calls that need no caller, nor other networks', async () => {
    const from = someNetwork();
    await useUp(from);
    expectError(await ask(from), 429, 'RATE_LIMITED');
    expectError(await ask(from), 429, 'RATE_LIMITED');
    expectError(await ask(from, { key: KEY }), 429, 'RATE_LIMITED');
    app.fakes.good.add(KEY);
    expect((await ask(from, { key: KEY })).status).to.equal(200);
    const cookie = { cookie: '__Host-dockyard-session=person_owner' };
    expect((await ask(from, { key: null, headers: cookie })).status).to.equal(200);
    expect((await ask(from, { path: '/api/v1/public/prices' })).status).to.equal(200);
    expect((await ask(from, { path: '/healthz' })).status).to.equal(200);
    const preflight = { 'access-control-request-method': 'GET', origin: 'https://example.org' };
    expect((await ask(from, { method: 'OPTIONS', headers: preflight })).status).to.equal(204);
    expectError(await ask(someNetwork()), 401, 'UNAUTHORIZED');
  });

  it('makes no look-up, and is let in again as its tokens come back', async () => {
    await app.stop();
    app = await new TestApp({ trustProxy: true, quotas: { anonymous: 300 } }).start();
    const from = someNetwork();
    const replies = await Promise.all(Array.from({ length: 400 }, () => ask(from)));
    const lookUps = app.fakes.calls.lookUps;
    expect(replies.filter(({ status }) => status === 401)).to.have.length(lookUps);
    await until('a token of the network', async () => (await ask(from)).status === 401);
  });

  it('gets its answers at a pace, and every one of them', async () => {
    const from = someNetwork();
    await useUp(from);
    await ask(from);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
    const begun = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 300 }, () => statusOf(app.base + BALANCE, from, agent)),
    );
    agent.destroy();
    expect(new Set(statuses)).to.deep.equal(new Set([429]));
    // Two hundred at once, and two hundred a second.
    expect(performance.now() - begun).to.be.within(400, 30_000);
    expect((await ask(someNetwork())).status, 'others do not wait').to.equal(401);
  });

  it('and holds nothing when it goes away while it waits', async () => {
    const from = someNetwork();
    await useUp(from);
    await ask(from);
    const leave = new AbortController();
    const left = async (): Promise<number | null> => {
      const asked = { headers: { 'x-forwarded-for': from }, signal: leave.signal };
      try {
        const reply = await fetch(app.base + BALANCE, asked);
        await reply.text();
        return reply.status;
      } catch {
        return null;
      }
    };
    const calls = Array.from({ length: 250 }, left);
    // Two hundred are answered at once, and the others wait when the first answer is there.
    await Promise.race(calls);
    leave.abort();
    expect(await Promise.all(calls))
      .to.include(429)
      .and.to.include(null);
    expectError(await ask(from), 429, 'RATE_LIMITED');
  });
});

function statusOf(url: string, from: string, agent: http.Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': from, authorization: 'Bearer guess' };
    const sent = http.get(url, { agent, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.once('error', reject);
  });
}

describe('the index of endpoints', () => {
  const index = createRouteIndex([{ base: '/api/v1', endpoints }]);

  it('finds every endpoint, by a path with a slash at its end, too, and with HEAD where there is GET', () => {
    for (const endpoint of endpoints) {
      const { method, operationId } = endpoint;
      const real = wholePath('/api/v1', endpoint).replace(/:\w+/g, 'something');
      expect(index(method, real)?.operationId, real).to.equal(operationId);
      expect(index(method, `${real}/`)?.operationId, real).to.equal(operationId);
      if (method === 'GET') expect(index('HEAD', real)?.operationId).to.equal(operationId);
      expect(index('TRACE', real)).to.equal(null);
    }
  });

  it('takes a part of a path as it is before it takes the part for an id', () => {
    expect(index('POST', '/api/v1/keys/revoke-this')?.operationId).to.equal('revokeThisApiKey');
    expect(index('DELETE', '/api/v1/keys/revoke-this')?.operationId).to.equal('revokeApiKey');
  });

  it('finds nothing elsewhere', () => {
    for (const path of [
      '',
      '/',
      '/api/v1',
      '/api/v1//',
      '/api/v1/keys//rotate',
      '/API/V1/keys',
      '/api/v1/__proto__',
    ])
      expect(index('POST', path), path).to.equal(null);
  });
});

describe('the log of refused requests', () => {
  it('has one line for all of a while, with the networks that sent most', () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const tally = createRefusedTally(logger, 60_000);
    for (let network = 1; network <= 7; network += 1)
      for (let count = 0; count < network; count += 1)
        tally.count(`10.0.0.${network}`, `id ${network}-${count}`);
    expect(lines).to.have.length(0);
    tally.close();
    tally.close();
    expect(lines).to.have.length(1);
    expect(lines[0]).to.include({ refused: 28, networks: 7 });
    expect(lines[0]?.['most']).to.deep.equal(
      [7, 6, 5, 4, 3].map((network) => ({
        network: `10.0.0.${network}`,
        refused: network,
        requestId: `id ${network}-0`,
      })),
    );
  });

  it('is written by itself, too, and again for the next while', async () => {
    const lines: unknown[] = [];
    const tally = createRefusedTally(pino({}, { write: (line: string) => void lines.push(line) }), 5);
    tally.count('10.0.0.1', 'a');
    await until('the line', () => lines.length === 1);
    tally.count('10.0.0.1', 'b');
    await until('the next line', () => lines.length === 2);
    tally.close();
  });
});
