import { expect } from 'chai';
import fc from 'fast-check';

import { createProcessBuckets } from '../../../api/http/buckets.ts';
import { createRateLimiter } from '../../../api/http/rate-limiter.ts';
import type { Counted, RateLimitOptions, RateLimiter } from '../../../api/http/rate-limiter.ts';

const key = (id: string, accountId = `account of ${id}`): Counted => ({
  kind: 'key',
  id,
  accountId,
  plan: 'free',
});

const limiterAt = (now: () => number, options: RateLimitOptions): RateLimiter =>
  createRateLimiter({ ...options, store: createProcessBuckets({ now }) });

describe('rate limiter', () => {
  it('answers at once where the buckets are kept in the process, so that a request waits for nothing', () => {
    expect(createRateLimiter().consume('submit', key('key'))).to.include({ allowed: true, remaining: 59 });
  });

  it('lets a full bucket through at once and then one request for each share of the minute', async () => {
    let at = 0;
    const limiter = limiterAt(() => at, { quotasPerMinute: { submit: 60 } });
    const results = await Promise.all(
      Array.from({ length: 61 }, async () => limiter.consume('submit', key('key'))),
    );
    expect(results.filter(({ allowed }) => allowed)).to.have.length(60);
    expect(results[60]).to.include({ allowed: false, remaining: 0, retryAfterSeconds: 1, resetSeconds: 60 });
    at = 1000;
    expect((await limiter.consume('submit', key('key'))).allowed).to.equal(true);
    expect((await limiter.consume('submit', key('key'))).allowed).to.equal(false);
  });

  it('knows without its store that a network is still refused, until time or a gift has brought a token', async () => {
    let at = 0;
    const now = (): number => at;
    const limiter = createRateLimiter({
      ...{ quotasPerMinute: { anonymous: 60 }, now, store: createProcessBuckets({ now }) },
    });
    const network: Counted = { kind: 'network', id: '192.0.2.1' };
    const still = (): unknown => limiter.stillRefused('anonymous', '192.0.2.1');
    const taken = await Promise.all(
      Array.from({ length: 60 }, async () => limiter.consume('anonymous', network)),
    );
    expect([limiter.hasRefused(), still()]).to.deep.equal([false, null]);
    expect((await limiter.consume('anonymous', network)).allowed).to.equal(false);
    at = 500;
    expect(limiter.hasRefused()).to.equal(true);
    const { policy, quota, remaining, resetSeconds } = await limiter.look('anonymous', network);
    const told = { policy, quota, remaining, resetSeconds };
    expect(still()).to.include({ ...told, allowed: false, retryAfterSeconds: 1 });
    expect(limiter.stillRefused('anonymous', '192.0.2.2')).to.equal(null);
    await taken[0]?.giveBack();
    expect(still()).to.equal(null);
    expect((await limiter.consume('anonymous', network)).allowed).to.equal(true);
    expect((await limiter.consume('anonymous', network)).allowed).to.equal(false);
    expect(still()).to.include({ allowed: false });
    at = 1_000;
    expect([limiter.hasRefused(), still()]).to.deep.equal([false, null]);
    expect((await limiter.consume('anonymous', network)).allowed).to.equal(true);
  });

  it('keeps callers, networks and kinds of requests apart, also those with equal names', async () => {
    const limiter = limiterAt(() => 0, { quotasPerMinute: { submit: 1, read: 1 } });
    const passes = async (limitClass: 'submit' | 'read', who: Counted): Promise<boolean> =>
      (await limiter.consume(limitClass, who)).allowed;
    expect(await passes('submit', key('a'))).to.equal(true);
    expect(await passes('submit', key('a'))).to.equal(false);
    expect(await passes('submit', key('b'))).to.equal(true);
    expect(await passes('read', key('a'))).to.equal(true);
    expect(await passes('submit', { kind: 'session', id: 'a', accountId: 'x', plan: 'free' })).to.equal(true);
    expect(await passes('submit', { kind: 'network', id: 'a' })).to.equal(true);
  });

  it('multiplies the quota of a caller by the plan', async () => {
    const limiter = limiterAt(() => 0, { quotasPerMinute: { read: 10 } });
    const pro: Counted = { kind: 'session', id: 'a', accountId: 'x', plan: 'pro' };
    expect(await limiter.consume('read', pro)).to.include({ quota: 40, remaining: 39 });
  });

  it('gives back what was taken for nothing, and never more than the quota', async () => {
    const limiter = limiterAt(() => 0, { quotasPerMinute: { anonymous: 2 } });
    const network: Counted = { kind: 'network', id: '192.0.2.1' };
    for (let turn = 0; turn < 5; turn += 1) {
      const counted = await limiter.consume('anonymous', network);
      expect(counted).to.include({ allowed: true, remaining: 1 });
      await counted.giveBack();
      await counted.giveBack();
    }
    expect((await limiter.consume('anonymous', network)).remaining).to.equal(1);
    const refused = [
      await limiter.consume('anonymous', network),
      await limiter.consume('anonymous', network),
    ];
    await refused[1]?.giveBack();
    expect((await limiter.look('anonymous', network)).remaining, 'nothing was taken').to.equal(0);
  });

  it('counts all keys and sessions of an account together, at ten times the quota of one', async () => {
    const limiter = limiterAt(() => 0, { quotasPerMinute: { read: 2 } });
    const sent = Array.from({ length: 15 }, (_, index) => index);
    const decisions = [];
    for (const index of sent)
      for (const turn of [1, 2])
        decisions.push({ turn, ...(await limiter.consume('read', key(`key ${index}`, 'one'))) });
    expect(decisions.filter(({ allowed }) => allowed)).to.have.length(20);
    expect(decisions[0]).to.include({ policy: 'read', quota: 2, remaining: 1 });
    expect(decisions.at(-1)).to.include({ policy: 'read-account', quota: 20, remaining: 0, allowed: false });
    // The key itself was charged nothing for what its account was refused.
    expect((await limiter.look('read', key('key 14', 'other'))).remaining).to.equal(2);
    expect((await limiter.consume('read', key('a key', 'other'))).allowed).to.equal(true);
  });

  it('tells what is left without counting', async () => {
    const limiter = limiterAt(() => 0, { quotasPerMinute: { read: 1 } });
    for (let turn = 0; turn < 3; turn += 1)
      expect(await limiter.look('read', key('a'))).to.include({
        policy: 'read',
        remaining: 1,
        allowed: true,
      });
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
