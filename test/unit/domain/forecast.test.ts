/** What a measured job is expected to cost, by what is seen of it. */
import { expect } from 'chai';
import fc from 'fast-check';

import { forecastOf } from '../../../src/domain/forecast.ts';
import type { SeenWork } from '../../../src/domain/forecast.ts';
import { oneClass, quote } from '../../../src/domain/pricing.ts';
import { verified } from '../../support/prices.ts';

const COMMON = {
  ...{ currency: 'GBP' as const, startFeeMicro: 20_000, softwareMicro: 0, storageMicro: 0, egressMicro: 0 },
  licenceNames: [],
};
/** A penny a second. */
const offer = (taskCount: number, estimatedSeconds: number) =>
  quote(
    'test',
    1_000_000,
    { ...COMMON, model: 'measured', microPerHour: 36_000_000, estimatedSeconds, ceilingPercent: 120 },
    taskCount,
  );
const NOTHING: SeenWork = {
  ...{ verifiedTasks: 0, verifiedMs: 0, movingTasks: 0, movingMs: 0, wholeMs: 0, waitingTasks: 0, paidMs: 0 },
};
const moneyOf = (taskCount: number, seconds: number, chargedPence = 0) => ({
  ...{ quote: offer(taskCount, seconds), verified: [], chargedPence },
});

describe('the forecast of a measured job', () => {
  it('is the estimate and its ceiling before anything is seen, and none at a fixed price', () => {
    expect(forecastOf(moneyOf(4, 100), { ...NOTHING, waitingTasks: 4 })).to.deep.equal({
      ...{ lowCents: 102, highCents: 122, basis: 'ESTIMATE' },
    });
    const fixed = quote('test', 1_000_000, { ...COMMON, model: 'fixed', classes: oneClass(4, 10_000) }, 4);
    expect(forecastOf({ quote: fixed, verified: [], chargedPence: 0 }, NOTHING)).to.equal(null);
  });

  it('counts what runs by its progress, and what waits by what is known of others', () => {
    const moving = { ...NOTHING, movingTasks: 1, movingMs: 60_000, wholeMs: 600_000 };
    expect(forecastOf(moneyOf(1, 60), moving), 'ten times the estimate').to.deep.equal({
      ...{ lowCents: 2 + 60 + 486, highCents: 2 + 60 + 594, basis: 'PROGRESS' },
    });
    const others = { ...NOTHING, verifiedTasks: 2, verifiedMs: 20_000, waitingTasks: 2 };
    expect(forecastOf({ ...moneyOf(4, 4), verified: verified(2, 20_000) }, others)).to.deep.equal({
      ...{ lowCents: 2 + 20 + 18, highCents: 2 + 20 + 22, basis: 'VERIFIED' },
    });
  });

  it('has what earlier executions have charged once', () => {
    const paid = { ...NOTHING, movingTasks: 1, movingMs: 50_000, wholeMs: 100_000, paidMs: 40_000 };
    expect(forecastOf(moneyOf(1, 60, 42), paid)).to.deep.equal({
      ...{ lowCents: 42 + 55, highCents: 42 + 65, basis: 'PROGRESS' },
    });
  });

  it('holds what an even job comes to at each moment, and comes to it at its end', () => {
    const even = fc.record({
      seconds: fc.integer({ min: 1, max: 90_000 }),
      percent: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(even, ({ seconds, percent }) => {
        const wholeMs = seconds * 1000;
        const movingMs = (wholeMs * percent) / 100;
        const found = forecastOf(moneyOf(1, 60), { ...NOTHING, movingTasks: 1, movingMs, wholeMs });
        const end = 2 + seconds;
        expect(found?.lowCents).to.be.at.most(end);
        expect(found?.highCents).to.be.at.least(end);
        if (percent === 100) expect([found?.lowCents, found?.highCents]).to.deep.equal([end, end]);
      }),
    );
  });
});
