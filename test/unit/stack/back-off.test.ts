import { expect } from 'chai';
import { RestartWaits } from '../../../src/stack/back-off.ts';

describe('back-off of the supervisor', () => {
  it('doubles from 0.2 s and stays at 10 s for a child that keeps dying', () => {
    const restarts = new RestartWaits();
    const waits = Array.from({ length: 8 }, () => restarts.nextMs(50));
    expect(waits).to.deep.equal([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  });

  it('begins again for a child that lived for 30 s', () => {
    const restarts = new RestartWaits();
    for (let death = 0; death < 8; death += 1) restarts.nextMs(50);
    expect(restarts.nextMs(29_999)).to.equal(10_000);
    expect(restarts.nextMs(30_000)).to.equal(200);
    expect(restarts.nextMs(50)).to.equal(400);
  });
});
