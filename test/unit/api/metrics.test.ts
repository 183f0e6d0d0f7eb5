import { expect } from 'chai';
import { Registry } from 'prom-client';

import { createRequestMetrics } from '../../../src/metrics.ts';
import { until } from '../../support/until.ts';
import { TestApp } from './test-app.ts';

const COUNT = 'dockyard_http_request_duration_seconds_count';

describe('metrics of requests', () => {
  const registry = new Registry();
  const app = new TestApp({ metrics: createRequestMetrics(registry) });
  before(() => app.start());
  after(() => app.stop());

  async function counted(operation: string, status: string): Promise<number> {
    const line = `${COUNT}{operation="${operation}",status="${status}"} `;
    const found = (await registry.metrics()).split('\n').find((each) => each.startsWith(line));
    return found === undefined ? 0 : Number(found.slice(line.length));
  }

  it('counts a request under its operation and status, with its duration', async () => {
    await app.call('GET', '/api/v1/credits/balance');
    await app.call('GET', '/api/v1/credits/balance');
    await until('two are counted', async () => (await counted('getCreditBalance', '200')) === 2);
    expect(await registry.metrics()).to.match(
      /^dockyard_http_request_duration_seconds_bucket\{le="60",operation="getCreditBalance",status="200"\} 2$/m,
    );
  });

  it('counts a refusal under its status, and what meets no operation under "none", never under its path', async () => {
    await app.call('GET', '/api/v1/credits/balance', { key: null });
    await app.call('GET', '/api/v1/secret-path');
    await until('both are counted', async () => {
      return (await counted('getCreditBalance', '401')) === 1 && (await counted('none', '404')) === 1;
    });
    expect(await registry.metrics()).not.to.include('secret-path');
  });

  it('counts a request as in flight until it ends, and one whose caller leaves as aborted', async () => {
    const inFlight = /^dockyard_http_requests_in_flight (\d+)$/m;
    const running = async (): Promise<string | undefined> => inFlight.exec(await registry.metrics())?.[1];
    const leaving = new AbortController();
    const held = Promise.withResolvers<never>();
    app.fakes.services.credits.balance = () => held.promise;
    const call = fetch(`${app.base}/api/v1/credits/balance`, {
      headers: { authorization: 'Bearer svc_live_all' },
      signal: leaving.signal,
    }).catch(() => undefined);
    await until('one is in flight', async () => (await running()) === '1');
    leaving.abort();
    await call;
    await until('none is in flight', async () => (await running()) === '0');
    expect(await counted('getCreditBalance', 'aborted')).to.equal(1);
    held.reject(new Error('the caller is gone'));
  });
});
