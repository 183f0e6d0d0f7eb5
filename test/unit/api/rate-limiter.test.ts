import { expect } from 'chai';
import fc from 'fast-check';

import { createProcessBuckets } from '../../../api/http/buckets.ts';
import { createRateLimiter } from '../../../api/http/rate-limiter.ts';
import type { Counted, RateLimitOptions, RateLimiter } from '../../../api/http/rate-limiter.ts';

const key = (id: string): Counted => ({ kind: 'key', id, plan: 'free' });

const limiterAt = (now: () => number, options: RateLimitOptions): RateLimiter =>
  createRateLimiter({ ...options, store: createProcessBuckets({ now }) });

describe('rate limiter', () => {
  it('lets a full bucket through at once and then one request for each share of the minute', async () => {
    let at = 0;
    const limiter = limiterAt(() => at, { quotasPerMinute: { submit: 60 } });
    const results = await Promise.all(
      Array.from({ length: 61 }, () => limiter.consume('submit', key('key'))),
    );
    expect(results.filter(({ allowed }) => allowed)).to.have.length(60);
    expect(results[60]).to.include({ allowed: false, remaining: 0, retryAfterSeconds: 1, resetSeconds: 60 });
    at = 1000;
    expect((await limiter.consume('submit', key('key'))).allowed).to.equal(true);
    expect((await limiter.consume('submit', key('key'))).allowed).to.equal(false);
  });

  it('keeps callers, networks and kinds of requests apart, also those with equal names', async () => {
    const limiter = limiterAt(() => 0, { quotasPerMinute: { submit: 1, read: 1 } });
    const passes = async (limitClass: 'submit' | 'read', who: Counted): Promise<boolean> =>
      (await limiter.consume(limitClass, who)).allowed;
    expect(await passes('submit', key('a'))).to.equal(true);
    expect(await passes('submit', key('a'))).to.equal(false);
    expect(await passes('submit', key('b'))).to.equal(true);
    expect(await passes('read', key('a'))).to.equal(true);
    expect(await passes('submit', { kind: 'session', id: 'a', plan: 'free' })).to.equal(true);
    expect(await passes('submit', { kind: 'network', id: 'a' })).to.equal(true);
  });

  it('multiplies the quota of a caller by the plan', async () => {
    const limiter = limiterAt(() => 0, { quotasPerMinute: { read: 10 } });
    const pro: Counted = { kind: 'session', id: 'a', plan: 'pro' };
    expect(await limiter.consume('read', pro)).to.include({ quota: 40, remaining: 39 });
  });

  it('gives back what was taken for nothing, and never more than the quota', async () => {
    const limiter = limiterAt(() => 0, { quotasPerMinute: { anonymous: 2 } });
    const network: Counted = { kind: 'network', id: '192.0.2.1' };
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await limiter.consume('anonymous', network)).to.include({ allowed: true, remaining: 1 });
      await limiter.giveBack('anonymous', network);
    }
    await limiter.giveBack('anonymous', network);
    expect((await limiter.consume('anonymous', network)).remaining).to.equal(1);
  });

  it('never lets more through in a time than the quota and its share of that time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 200 }),
        async (quota, gaps) => {
          let at = 0;
          let passed = 0;
          const limiter = limiterAt(() => at, { quotasPerMinute: { read: quota } });
          for (const gap of gaps) {
            at += gap;
            if ((await limiter.consume('read', key('key'))).allowed) passed += 1;
          }
          expect(passed).to.be.at.most(quota + (at * quota) / 60_000 + 1e-6);
        },
      ),
    );
  });

  it('tells a wait after which the next request passes', async () => {
    let at = 0;
    const limiter = limiterAt(() => at, { quotasPerMinute: { chat: 30 } });
    for (let sent = 0; sent < 30; sent += 1) await limiter.consume('chat', key('key'));
    const { retryAfterSeconds } = await limiter.consume('chat', key('key'));
    at += retryAfterSeconds * 1000;
    expect((await limiter.consume('chat', key('key'))).allowed).to.equal(true);
  });
});
