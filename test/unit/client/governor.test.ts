/** How many parts are sent at once, over simulated networks. */
import { expect } from 'chai';

import { createGovernor } from '../../../src/client/upload/governor.ts';
import type { Governor } from '../../../src/client/upload/governor.ts';

const PART = 8_000_000;

/** Runs a window over a network whose bytes a second depend on the number of parts at once. */
function windows(
  governor: Governor,
  startMs: number,
  count: number,
  rateOf: (parts: number) => number,
): number {
  let now = startMs;
  for (let window = 0; window < count; window += 1) {
    const parts = governor.limit;
    const eachMs = (PART * 1000) / rateOf(parts);
    // At least as many rounds as the window has parts.
    const rounds = Math.max(parts, Math.ceil(600 / eachMs));
    for (let part = 0; part < rounds; part += 1) {
      now += eachMs;
      governor.arrived(PART, now);
    }
  }
  return now;
}

describe('how many parts are sent at once', () => {
  it('grows as long as every part more brings more, up to the bound', () => {
    const governor = createGovernor({ first: 4, most: 16 }, 0);
    windows(governor, 0, 12, (parts) => parts * 1e6);
    expect(governor.limit).to.equal(16);
  });

  it('stays about where more brings nothing more', () => {
    const governor = createGovernor({ first: 2, most: 32 }, 0);
    const seen: number[] = [];
    let now = 0;
    for (let round = 0; round < 60; round += 1) {
      now = windows(governor, now, 1, (parts) => Math.min(parts, 6) * 1e6);
      if (round > 20) seen.push(governor.limit);
    }
    expect(Math.max(...seen)).to.be.at.most(9);
    expect(Math.min(...seen)).to.be.at.least(4);
  });

  it('gives connections back that bring nothing', () => {
    const governor = createGovernor({ first: 12, most: 12 }, 0);
    windows(governor, 0, 120, () => 5e6);
    expect(governor.limit).to.be.at.most(3);
  });

  it('halves after a failure, once for all that was under way, and never below one', () => {
    const governor = createGovernor({ first: 8, most: 8 }, 0);
    for (let part = 0; part < 8; part += 1) governor.failed(100);
    expect(governor.limit).to.equal(4);
    let now = 200;
    for (let round = 0; round < 5; round += 1) {
      now = windows(governor, now, 1, () => 1e6);
      governor.failed(now);
    }
    expect(governor.limit).to.equal(1);
  });

  it('recovers after failures', () => {
    const governor = createGovernor({ first: 8, most: 8 }, 0);
    governor.failed(0);
    expect(governor.limit).to.equal(4);
    windows(governor, 0, 30, (parts) => parts * 1e6);
    expect(governor.limit).to.be.at.least(7);
  });

  it('keeps to one when one is the bound', () => {
    const governor = createGovernor({ first: 4, most: 1 }, 0);
    windows(governor, 0, 20, () => 1e6);
    expect(governor.limit).to.equal(1);
  });
});
