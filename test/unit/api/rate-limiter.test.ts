import { expect } from 'chai';
import fc from 'fast-check';

import { createRateLimiter } from '../../../api/http/rate-limiter.ts';

describe('rate limiter', () => {
  it('lets a full bucket through at once and then one request for each share of the minute', () => {
    let at = 0;
    const limiter = createRateLimiter({ quotasPerMinute: { submit: 60 }, now: () => at });
    const results = Array.from({ length: 61 }, () => limiter.consume('submit', 'key'));
    expect(results.filter(({ allowed }) => allowed)).to.have.length(60);
    expect(results[60]).to.include({ allowed: false, remaining: 0, retryAfterSeconds: 1, resetSeconds: 60 });
    at = 1000;
    expect(limiter.consume('submit', 'key').allowed).to.equal(true);
    expect(limiter.consume('submit', 'key').allowed).to.equal(false);
  });

  it('keeps keys and kinds apart', () => {
    const limiter = createRateLimiter({ quotasPerMinute: { submit: 1, read: 1 }, now: () => 0 });
    expect(limiter.consume('submit', 'a').allowed).to.equal(true);
    expect(limiter.consume('submit', 'a').allowed).to.equal(false);
    expect(limiter.consume('submit', 'b').allowed).to.equal(true);
    expect(limiter.consume('read', 'a').allowed).to.equal(true);
  });

  it('never lets more through in a time than the quota and its share of that time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 200 }),
        (quota, gaps) => {
          let at = 0;
          let passed = 0;
          const limiter = createRateLimiter({ quotasPerMinute: { read: quota }, now: () => at });
          for (const gap of gaps) {
            at += gap;
            if (limiter.consume('read', 'key').allowed) passed += 1;
          }
          expect(passed).to.be.at.most(quota + (at * quota) / 60_000 + 1e-6);
        },
      ),
    );
  });

  it('tells a wait after which the next request passes', () => {
    let at = 0;
    const limiter = createRateLimiter({ quotasPerMinute: { chat: 30 }, now: () => at });
    for (let sent = 0; sent < 30; sent += 1) limiter.consume('chat', 'key');
    const { retryAfterSeconds } = limiter.consume('chat', 'key');
    at += retryAfterSeconds * 1000;
    expect(limiter.consume('chat', 'key').allowed).to.equal(true);
  });
});
