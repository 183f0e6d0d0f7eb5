import { expect } from 'chai';

import { JOB_ID, status } from './fake-services.ts';
import type { Reply } from './test-app.ts';
import { DOCKING, KEY, TestApp, expectError } from './test-app.ts';

/** Every list that can be asked for by times, with the path of its query. */
const TIMED_LISTS = [
  'jobs?createdAfter',
  'jobs?createdBefore',
  `jobs/${JOB_ID}/outputs?since`,
  'credits/transactions?from',
  'credits/transactions?to',
];

describe('http', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await new TestApp().start();
  });

  afterEach(async () => {
    await app.stop();
  });

  describe('who may call', () => {
    it('counts calls without a genuine key together', async () => {
      for (const headers of [
        {},
        { Authorization: 'Basic x' },
        { Authorization: 'Bearer' },
        { Authorization: 'Bearer svc_live_unknown' },
      ]) {
        const reply = await app.call('GET', '/api/v1/credits/balance', {
          key: null,
          headers,
        });
        expect(reply.status).to.equal(401);
        expect(reply.headers.get('ratelimit')).to.match(/^"anonymous";r=\d+;t=\d+$/);
      }
    });

    it('estimates for any valid key, test keys too', async () => {
      expect(
        (await app.call('POST', '/api/v1/jobs/estimate', { body: DOCKING, key: 'svc_test_all' })).status,
      ).to.equal(200);
      expect(
        (await app.call('POST', '/api/v1/jobs/estimate', { body: DOCKING, key: 'svc_live_none' })).status,
      ).to.equal(200);
    });
  });

  describe('routes', () => {
    it('answers 404 for unknown paths and malformed ids', async () => {
      expectError(await app.call('GET', '/api/v1/nothing'), 404, 'NOT_FOUND');
      expectError(await app.call('GET', '/dashboard'), 404, 'NOT_FOUND');
      expectError(await app.call('GET', '/api/v1/jobs/not-a-uuid/status'), 404, 'NOT_FOUND');
      expectError(await app.call('GET', `/api/v1/jobs/${JOB_ID}/tasks/-1/log`), 404, 'NOT_FOUND');
      expectError(await app.call('GET', '/api/v1/jobs/%E0%A4%A/status'), 404, 'NOT_FOUND');
    });

    it('answers 405 and names the methods', async () => {
      const reply = await app.call('DELETE', '/api/v1/jobs/submit');
      expectError(reply, 405, 'METHOD_NOT_ALLOWED');
      expect(reply.headers.get('allow')).to.equal('POST');
      // The name of an endpoint is no id of a key.
      const other = await app.call('OPTIONS', '/api/v1/keys/revoke-this');
      expect(other.headers.get('allow')).to.equal('POST');
    });

    it('answers HEAD like GET, without a body', async () => {
      const reply = await app.call('HEAD', '/api/v1/credits/balance');
      expect(reply.status).to.equal(200);
      expect(reply.text).to.equal('');
    });

    it('answers a preflight and exposes the limits to browsers', async () => {
      const reply = await app.call('OPTIONS', '/api/v1/jobs/submit', {
        key: null,
        headers: { 'Access-Control-Request-Method': 'POST', Origin: 'https://x.example' },
      });
      expect(reply.status).to.equal(204);
      expect(reply.headers.get('access-control-allow-headers')).to.contain('Idempotency-Key');
      expect(reply.headers.get('access-control-expose-headers'))
        .to.contain('RateLimit')
        .and.to.contain('Retry-After');
    });

    it('takes a safe request id and replaces an unsafe one', async () => {
      expect(
        (await app.call('GET', '/healthz', { headers: { 'X-Request-Id': 'abc-1' } })).headers.get(
          'x-request-id',
        ),
      ).to.equal('abc-1');
      expect(
        (await app.call('GET', '/healthz', { headers: { 'X-Request-Id': 'a b"' } })).headers.get(
          'x-request-id',
        ),
      ).to.match(/^[0-9a-f-]{36}$/);
    });
  });

  describe('queries', () => {
    it('converts, applies defaults and passes on', async () => {
      await app.call('GET', '/api/v1/jobs?limit=100&status=RUNNING&createdAfter=2026-01-01T01:00:00%2B01:00');
      await app.call('GET', `/api/v1/jobs/${JOB_ID}/outputs`);
      expect(app.fakes.calls.query).to.deep.equal([
        { limit: 100, status: ['RUNNING'], createdAfter: '2026-01-01T00:00:00.000000Z' },
        { limit: 100 },
      ]);
    });

    it('refuses what is out of bounds, unknown or doubled', async () => {
      for (const query of [
        'limit=0',
        'limit=101',
        'limit=1.5',
        'limit=x',
        'limit=1&limit=2',
        'limit=1e1',
        'limit=10.0',
        'limit=%2B1',
        'limit=%2010',
        'limit=0x10',
        'limit=010',
        'status=DONE',
        'createdAfter=yesterday',
        'more=1',
        '__proto__=1',
        'constructor=1',
      ]) {
        expectError(await app.call('GET', `/api/v1/jobs?${query}`), 400, 'VALIDATION_ERROR');
      }
      for (const query of ['x=1', '__proto__=1'])
        expectError(await app.call('GET', `/api/v1/credits/balance?${query}`), 400, 'VALIDATION_ERROR');
    });
  });

  describe('values that the database does not take', () => {
    it('refuses NUL in a query', async () => {
      for (const query of [
        'jobName=a%00b',
        'simulator=%00',
        'cursor=%00',
        'a%00=1',
        'jobName=a&jobName=%00',
      ]) {
        const reply = await app.call('GET', `/api/v1/jobs?${query}`);
        expectError(reply, 400, 'VALIDATION_ERROR');
        expect(reply.body.error).to.contain('contains a NUL character');
      }
      expectError(await app.call('GET', `/api/v1/jobs/${JOB_ID}/outputs?kind=%00`), 400, 'VALIDATION_ERROR');
      expectError(await app.call('GET', '/api/v1/credits/balance?%00'), 400, 'VALIDATION_ERROR');
    });

    it('refuses times without a zone, in other forms, and those that do not exist, in every list', async () => {
      for (const [time, why] of [
        ['2026-01-31', 'must be a time of RFC 3339 with its zone'],
        ['2026-01-31T09:00:00', 'must be a time of RFC 3339 with its zone'],
        ['2026-01-31T10:00:00 01:00', 'a + in an address is sent as %2B'],
        ['+275760-09-13T00:00:00Z', 'must be a time of RFC 3339 with its zone'],
        ['2026-02-30T00:00:00Z', 'must be a time that exists'],
        ['2026-01-31T24:00:00Z', 'must be a time that exists'],
      ] as const) {
        for (const path of TIMED_LISTS) {
          const reply = await app.call('GET', `/api/v1/${path}=${encodeURIComponent(time)}`);
          expectError(reply, 400, 'VALIDATION_ERROR');
          expect(reply.body.error, `${path}=${time}`).to.contain(why);
        }
      }
    });

    it('gives every other time on in a form and range that the database takes', async () => {
      for (const [time, given] of [
        ['0000-01-01T00:00:00Z', '1970-01-01T00:00:00.000000Z'],
        ['9999-12-31T23:59:59.1-23:59', '9999-12-31T23:59:59.999999Z'],
        ['2026-01-31t09:00:00.1234567z', '2026-01-31T09:00:00.123456Z'],
      ] as const) {
        for (const path of TIMED_LISTS) {
          const { status } = await app.call('GET', `/api/v1/${path}=${encodeURIComponent(time)}`);
          expect(status, `${path}=${time}`).to.equal(200);
          expect(Object.values(app.fakes.calls.query.at(-1) ?? {})).to.include(given);
        }
      }
    });

    it('has no task beyond the range of task numbers', async () => {
      for (const index of ['2147483648', '99999999999', '-1'])
        expectError(await app.call('GET', `/api/v1/jobs/${JOB_ID}/tasks/${index}/log`), 404, 'NOT_FOUND');
    });

    it('refuses ids in other forms than ours', async () => {
      const bare = JOB_ID.replaceAll('-', '');
      for (const id of [
        `(${JOB_ID})`,
        `[${JOB_ID}]`,
        `{${JOB_ID}}`,
        JOB_ID.replaceAll('-', ':'),
        bare,
        `${JOB_ID}0`,
      ]) {
        const reply = await app.call('GET', `/api/v1/credits/transactions?jobId=${encodeURIComponent(id)}`);
        expectError(reply, 400, 'VALIDATION_ERROR');
        expectError(await app.call('GET', `/api/v1/jobs/${encodeURIComponent(id)}/status`), 404, 'NOT_FOUND');
        const upload = { filename: 'a', contentType: 'a/b', size: 1, projectId: id, logicalPath: 'a' };
        expectError(
          await app.call('POST', '/api/v1/jobs/upload-url', { body: upload }),
          400,
          'VALIDATION_ERROR',
        );
      }
    });
  });

  describe('rate limits', () => {
    it('tells policy and rest on every answer, and 429 with Retry-After beyond', async () => {
      const estimate = async (): Promise<Reply> =>
        app.call('POST', '/api/v1/jobs/estimate', { body: DOCKING });
      const first = await estimate();
      expect(first.headers.get('ratelimit-policy')).to.equal('"estimate";q=2;w=60');
      expect(first.headers.get('ratelimit')).to.equal('"estimate";r=1;t=30');
      await estimate();
      const refused = await estimate();
      expectError(refused, 429, 'RATE_LIMITED');
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 30);
      expect(refused.headers.get('ratelimit')).to.match(/^"estimate";r=0;/);
      expect((await app.call('GET', '/api/v1/credits/balance')).status).to.equal(200);
    });

    it('multiplies the quota by the plan', async () => {
      const reply = await app.call('POST', '/api/v1/jobs/estimate', { body: DOCKING, key: 'svc_live_pro' });
      expect(reply.headers.get('ratelimit-policy')).to.equal('"estimate";q=8;w=60');
    });
  });

  describe('the address of a client', () => {
    const remaining = async (to: TestApp, forwarded: string): Promise<string | undefined> => {
      const headers = { 'X-Forwarded-For': forwarded };
      const reply = await to.call('GET', '/api/v1/jobs', { key: null, headers });
      return /r=(\d+)/.exec(reply.headers.get('ratelimit') ?? '')?.[1];
    };

    /** So few in a minute that none comes back during a test. */
    const quotas = { anonymous: 4 };

    it('is the one that connects; what it says of itself counts for nothing', async () => {
      const open = await new TestApp({ quotas }).start();
      try {
        const first = await remaining(open, '10.0.0.1');
        expect(Number(await remaining(open, '10.0.0.2'))).to.equal(Number(first) - 1);
      } finally {
        await open.stop();
      }
    });

    it('is the last forwarded one behind a trusted proxy', async () => {
      const behind = await new TestApp({ trustProxy: true, quotas }).start();
      try {
        const first = await remaining(behind, '10.0.0.1');
        expect(await remaining(behind, '10.0.0.2')).to.equal(first);
        expect(Number(await remaining(behind, '10.9.9.9, 10.0.0.1'))).to.equal(Number(first) - 1);
      } finally {
        await behind.stop();
      }
    });
  });

  describe('answers', () => {
    it('gives 304 to a client that has the version, and passes on what it waits for', async () => {
      const path = `/api/v1/jobs/${JOB_ID}/status`;
      const first = await app.call('GET', path);
      expect(first.headers.get('etag')).to.equal('W/"v1"');
      expect(first.body).to.deep.equal(JSON.parse(JSON.stringify(status)));
      const same = await app.call('GET', path, {
        headers: { 'If-None-Match': 'W/"v1"', Prefer: 'respond-async, wait=100' },
      });
      expect([same.status, same.text]).to.deep.equal([304, '']);
      expect(same.headers.get('preference-applied')).to.equal('wait=25');
      const other = await app.call('GET', path, { headers: { 'If-None-Match': '"v0"' } });
      expect(other.status).to.equal(200);
      expect(app.fakes.calls.wait).to.deep.equal([
        {},
        { knownVersion: 'v1', waitSeconds: 25 },
        { knownVersion: 'v0' },
      ]);
    });

    it('sends logs whole or in ranges', async () => {
      const log = async (range?: string): Promise<Reply> =>
        app.call('GET', `/api/v1/jobs/${JOB_ID}/tasks/0/log`, {
          headers: range === undefined ? {} : { Range: range },
        });
      const whole = await log();
      expect([whole.status, whole.text, whole.headers.get('content-type')]).to.deep.equal([
        200,
        'line one\nline two\n',
        'text/plain; charset=utf-8',
      ]);
      const cases = [
        ['bytes=0-3', 'line', 'bytes 0-3/18'],
        ['bytes=9-', 'line two\n', 'bytes 9-17/18'],
        ['bytes=-4', 'two\n', 'bytes 14-17/18'],
        ['bytes=9-1000', 'line two\n', 'bytes 9-17/18'],
      ] as const;
      for (const [range, text, contentRange] of cases) {
        const part = await log(range);
        expect([part.status, part.text, part.headers.get('content-range')], range).to.deep.equal([
          206,
          text,
          contentRange,
        ]);
        expect(part.headers.get('content-length')).to.equal(String(text.length));
      }
      expectError(await log('bytes=18-'), 416, 'RANGE_NOT_SATISFIABLE');
      for (const ignored of ['lines=1-2', 'bytes=5-2', 'bytes=0-1,3-4'])
        expect((await log(ignored)).status, ignored).to.equal(200);
    });

    it('registers an artifact with its place', async () => {
      const reply = await app.call('POST', '/api/v1/molecular/docking/artifacts', {
        body: { storageKey: 'k', format: 'pdb' },
      });
      expect([reply.status, reply.headers.get('location')]).to.deep.equal([
        201,
        `/api/v1/molecular/docking/artifacts/${JOB_ID}`,
      ]);
      expect((await app.call('GET', reply.headers.get('location') ?? '')).status).to.equal(200);
    });

    it('hides the cause of a fault and logs it under the request id', async () => {
      app.fakes.failures.set('balance', new Error('password=hunter2'));
      const reply = await app.call('GET', '/api/v1/credits/balance');
      expectError(reply, 500, 'INTERNAL_ERROR');
      expect(reply.text).to.not.contain('hunter2');
      const line = app.logged.find((entry) => entry.msg === 'request failed');
      expect(line.requestId).to.equal(reply.headers.get('x-request-id'));
      expect(line.err.message).to.contain('hunter2');
    });

    it('show the path of an unknown route without what looks like a key or a code', async () => {
      const code = 'Ab3_'.repeat(11).slice(0, 43);
      const secrets = [KEY, KEY.slice(0, 20), `${KEY}.pdb`, encodeURIComponent(`Bearer ${KEY}`), code];
      for (const secret of secrets) await app.call('GET', `/api/v1/jobz/${secret}/status`);
      const id = '0192f3c4-5d6e-7f80-9a1b-2c3d4e5f6071';
      await app.call('GET', `/api/v1/jobz/${id}/status`);
      const paths = app.logged.filter((entry) => /jobz/.test(String(entry.path))).map((entry) => entry.path);
      expect(paths).to.deep.equal([
        ...secrets.map(() => '/api/v1/jobz/*/status'),
        `/api/v1/jobz/${id}/status`,
      ]);
    });

    it('logs each request without its key or body', async () => {
      await app.submit({ ...DOCKING, jobName: 'confidential' });
      await app.call('GET', '/healthz');
      const line = app.logged.find((entry) => entry.operation === 'submitJob');
      expect(line).to.include({ method: 'POST', status: 200, accountId: 'account' });
      expect(line.caller).to.deep.equal({ kind: 'key', id: 'live' });
      expect(JSON.stringify(app.logged)).to.not.contain('confidential').and.to.not.contain(KEY);
    });

    it('turns an answer that is not declared into a fault while answers are proved', async () => {
      app.fakes.services.credits.balance = (async () => ({ wallet_cents: 'much' })) as never;
      expectError(await app.call('GET', '/api/v1/credits/balance'), 500, 'INTERNAL_ERROR');
    });
  });

  describe('operations', () => {
    it('lives as long as it answers, and is ready when every dependency is', async () => {
      expect((await app.call('GET', '/healthz', { key: null })).body).to.deep.equal({ ok: true });
      expect((await app.call('GET', '/readyz', { key: null })).status).to.equal(200);
      app.fakes.failures.set('temporal', true);
      const reply = await app.call('GET', '/readyz', { key: null });
      expect(reply.status).to.equal(503);
      expect(reply.body.dependencies.temporal).to.deep.equal({ ok: false, detail: 'no answer' });
    });

    it('serves the API document at both addresses without a key', async () => {
      const [one, two] = await Promise.all([
        app.call('GET', '/api/v1/openapi.json', { key: null }),
        app.call('GET', '/.well-known/openapi.json', { key: null }),
      ]);
      expect(one.body.openapi).to.equal('3.1.0');
      expect(two.text).to.equal(one.text);
    });
  });
});
