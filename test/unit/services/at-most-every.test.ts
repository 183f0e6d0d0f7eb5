import { expect } from 'chai';

import { atMostEvery } from '../../../src/services/at-most-every.ts';
import { createHealthCheck } from '../../../src/services/health.ts';

describe('work that many ask for', () => {
  it('is done once in its time, and everybody gets the answer', async () => {
    let at = 0;
    let runs = 0;
    const ask = atMostEvery(
      1_000,
      async () => (runs += 1),
      () => at,
    );
    expect(await Promise.all(Array.from({ length: 50 }, ask))).to.deep.equal(Array(50).fill(1));
    at = 999;
    expect(await ask()).to.equal(1);
    at = 1_000;
    expect(await Promise.all([ask(), ask()])).to.deep.equal([2, 2]);
  });

  it('does not begin again while it is under way, however long that takes', async () => {
    let at = 0;
    let runs = 0;
    let end = (): void => undefined;
    const ask = atMostEvery(
      1_000,
      () => {
        runs += 1;
        return new Promise<number>((resolve) => (end = () => resolve(runs)));
      },
      () => at,
    );
    const first = ask();
    at = 10_000;
    const second = ask();
    end();
    expect(await Promise.all([first, second])).to.deep.equal([1, 1]);
    const third = ask();
    end();
    expect(await third).to.equal(2);
  });

  it('that failed is tried again in the next turn, not before', async () => {
    let at = 0;
    let runs = 0;
    const ask = atMostEvery(
      1_000,
      async () => {
        runs += 1;
        throw new Error(`failure ${runs}`);
      },
      () => at,
    );
    const told = (): Promise<string> => ask().then(String, String);
    expect(await Promise.all([told(), told()])).to.deep.equal(Array(2).fill('Error: failure 1'));
    at = 1_000;
    expect(await told()).to.equal('Error: failure 2');
  });

  it('is the look at the dependencies of a process, for all who ask for its health', async () => {
    const probed: string[] = [];
    const probe = (name: string) => async () => void probed.push(name);
    const check = createHealthCheck({
      postgres: probe('postgres'),
      temporal: probe('temporal'),
      storage: probe('storage'),
      gateway: probe('gateway'),
    });
    const reports = await Promise.all(Array.from({ length: 100 }, check));
    expect(probed.sort()).to.deep.equal(['gateway', 'postgres', 'storage', 'temporal']);
    expect(reports.every(({ ok }) => ok)).to.equal(true);
  });
});
