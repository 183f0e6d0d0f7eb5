import { expect } from 'chai';

import { missingPricing } from '../../../src/domain/missing-work.ts';
import { quote } from '../../../src/domain/pricing.ts';
import type { FixedPricing, MeasuredPricing } from '../../../src/domain/pricing.ts';

const COMMON = { currency: 'GBP', startFeeMicro: 20_000, licenceNames: [] } as const;
const FIXED: FixedPricing = {
  ...COMMON,
  ...{ model: 'fixed', softwareMicro: 10, storageMicro: 0, egressMicro: 7 },
  classes: [
    { class: 'large', tasks: 2, perTaskMicro: 30_000 },
    { class: 'small', tasks: 4, perTaskMicro: 10_000 },
  ],
};
const MEASURED: MeasuredPricing = {
  ...COMMON,
  ...{ model: 'measured', softwareMicro: 0, storageMicro: 0, egressMicro: 0 },
  ...{ microPerHour: 1_000_000, estimatedSeconds: 100, ceilingPercent: 120 },
};

describe('the price of what is missing', () => {
  it('counts missing tasks by class, shares of the whole rounded up, and the start fee while it is due', () => {
    const missing = [{ priceClass: 'small', tasks: 3 }];
    expect(missingPricing({ pricing: FIXED, taskCount: 6 }, missing, false)).to.deep.equal({
      taskCount: 3,
      pricing: {
        ...FIXED,
        ...{ startFeeMicro: 0, softwareMicro: 5, egressMicro: 4 },
        classes: [{ class: 'small', tasks: 3, perTaskMicro: 10_000 }],
      },
    });
    const due = missingPricing({ pricing: FIXED, taskCount: 6 }, missing, true);
    expect(due?.pricing.startFeeMicro).to.equal(20_000);
  });

  it('is unknown where the job is priced in other classes than its tasks are, or in fewer tasks', () => {
    const whole = { pricing: FIXED, taskCount: 6 };
    expect(missingPricing(whole, [{ priceClass: 'middle', tasks: 1 }], false)).to.equal(null);
    expect(missingPricing(whole, [{ priceClass: null, tasks: 1 }], false)).to.equal(null);
    expect(missingPricing(whole, [{ priceClass: 'small', tasks: 7 }], false)).to.equal(null);
  });

  it('is that of the planned class for a task that was less work before its outputs were lost', () => {
    const [large, small] = FIXED.classes;
    if (large === undefined || small === undefined) expect.fail('two classes');
    const classes = [{ ...large, less: [{ class: 'large of 1', perTaskMicro: 20_000 }] }, small];
    const missing = ['large', 'large of 1'].map((priceClass) => ({ priceClass, tasks: 1 }));
    const priced = missingPricing({ pricing: { ...FIXED, classes }, taskCount: 6 }, missing, false);
    expect(priced?.pricing).to.have.deep.property('classes', [{ ...classes[0], tasks: 2 }]);
  });

  it('takes a share of the measured seconds', () => {
    const priced = missingPricing(
      { pricing: MEASURED, taskCount: 3 },
      [{ priceClass: null, tasks: 1 }],
      false,
    );
    expect(priced?.pricing).to.include({ estimatedSeconds: 34, startFeeMicro: 0 });
  });

  it('takes what verified tasks took on average where that is more than was expected', () => {
    const priced = (meanMs: number): number | undefined => {
      const due = missingPricing(
        { pricing: MEASURED, taskCount: 4 },
        [{ priceClass: null, tasks: 3 }],
        false,
        meanMs,
      );
      return due?.pricing.model === 'measured' ? due.pricing.estimatedSeconds : undefined;
    };
    expect([priced(0), priced(25_000), priced(25_001), priced(40_000)]).to.deep.equal([75, 75, 76, 120]);
  });

  it('is nothing where everything is paid for, and still a price that can be quoted', () => {
    const priced = missingPricing({ pricing: FIXED, taskCount: 6 }, [], true);
    if (priced === null) throw new Error('no price');
    expect(quote('book', 1_000_000, priced.pricing, priced.taskCount).heldPence).to.equal(0);
  });
});
