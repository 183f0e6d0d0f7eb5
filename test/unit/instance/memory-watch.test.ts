import { expect } from 'chai';

import { createMemoryWatch } from '../../../src/instance/memory-watch.ts';
import type { ProcessEntry } from '../../../src/instance/process-table.ts';
import { until } from '../../support/until.ts';

const entry = (pid: number, parentPid: number, group: number, residentBytes: number): ProcessEntry => ({
  ...{ pid, parentPid, group, residentBytes },
});

describe('the watch over the memory of tools', () => {
  it('tells each tool its own memory by one look at all processes, and looks no more when no tool is left', async () => {
    // 13 is a child of 12, which comes after it in the table; 21 has left its parent and kept the group of 20.
    const table = [entry(13, 12, 13, 4), entry(12, 10, 10, 2), entry(10, 1, 10, 1), entry(20, 1, 20, 8)];
    let looks = 0;
    const watch = createMemoryWatch({
      everyMs: 5,
      read: () => {
        looks += 1;
        return [...table, entry(21, 1, 20, 16), entry(30, 1, 30, 32)];
      },
    });
    const told = new Map<number, number[]>();
    const ends = [10, 20, 30].map((pid) => {
      const bytes: number[] = [];
      told.set(pid, bytes);
      return watch(pid, (used) => bytes.push(used));
    });
    await until('some looks', () => looks >= 3);
    for (const end of ends) end();
    const seen = looks;
    expect(Object.fromEntries(told)).to.deep.equal({
      10: Array<number>(seen).fill(7),
      20: Array<number>(seen).fill(24),
      30: Array<number>(seen).fill(32),
    });
    watch(10, () => undefined)();
    // Another watch is the clock: while it looks, the one without tools does not.
    let ticks = 0;
    const endClock = createMemoryWatch({ everyMs: 5, read: () => [] })(1, () => (ticks += 1));
    await until('the other watch has looked', () => ticks >= 4);
    endClock();
    expect(looks).to.equal(seen);
  });
});
