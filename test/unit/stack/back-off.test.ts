import { expect } from 'chai';
import { nextBackOffMs } from '../../../src/stack/back-off.ts';

describe('back-off of the supervisor', () => {
  it('doubles from 0.2 s and stays at 10 s for a child that keeps dying', () => {
    const waits: number[] = [];
    for (let previous = 0; waits.length < 8;) {
      previous = nextBackOffMs(previous, 50);
      waits.push(previous);
    }
    expect(waits).to.deep.equal([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
  });

  it('begins again for a child that lived for 30 s', () => {
    expect(nextBackOffMs(10_000, 30_000)).to.equal(200);
    expect(nextBackOffMs(10_000, 29_999)).to.equal(10_000);
  });
});
