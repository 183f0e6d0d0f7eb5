import { expect } from 'chai';
import fc from 'fast-check';

import { Invariant } from '../../../src/domain/invariant.ts';
import { accruedMicro, chargePence } from '../../../src/domain/charge.ts';
import {
  computeMicro,
  microToUnits,
  needsVerifiedClasses,
  oneClass,
  quote,
  type FixedPricing,
  type MeasuredPricing,
  type Quote,
  type TaskPricing,
  type VerifiedTasks,
} from '../../../src/domain/pricing.ts';
import { verified } from '../../support/prices.ts';

const micro = fc.integer({ min: 0, max: 50_000_000 });
const rates = fc.integer({ min: 100_000, max: 2_000_000 });
const common = fc.record({
  currency: fc.constantFrom('USD' as const, 'GBP' as const),
  startFeeMicro: micro,
  softwareMicro: micro,
  storageMicro: micro,
  egressMicro: micro,
  licenceNames: fc.constant([]),
});
const classes = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3000 }), micro), { minLength: 1, maxLength: 6 })
  .map((list) => list.map(([tasks, perTaskMicro], index) => ({ class: `c${index}`, tasks, perTaskMicro })));
const fixedPricing: fc.Arbitrary<FixedPricing> = fc
  .tuple(common, classes)
  .map(([rest, list]) => ({ ...rest, model: 'fixed', classes: list }));
const measuredPricing: fc.Arbitrary<MeasuredPricing> = fc
  .tuple(common, fc.nat(10_000_000), fc.nat(1_000_000))
  .map(([rest, microPerHour, estimatedSeconds]) => ({
    ...{ ...rest, model: 'measured', microPerHour, estimatedSeconds, ceilingPercent: 120 },
  }));

const tasksIn = (pricing: TaskPricing, otherwise: number): number =>
  pricing.model === 'fixed' ? pricing.classes.reduce((sum, { tasks }) => sum + tasks, 0) : otherwise;
const offersOf = (pricing: fc.Arbitrary<TaskPricing>): fc.Arbitrary<Quote> =>
  fc
    .tuple(pricing, fc.integer({ min: 1, max: 10_000 }), rates)
    .map(([prices, tasks, fxRateMicro]) => quote('test', fxRateMicro, prices, tasksIn(prices, tasks)));
const fixedOffer = offersOf(fixedPricing);
const offer = fc.oneof(fixedOffer, offersOf(measuredPricing));

const classNames = ({ pricing }: Quote): (string | null)[] =>
  pricing.model === 'fixed' ? pricing.classes.map((one) => one.class) : [null];
/** Counts and milliseconds for each class of an offer, of every kind: none, some, all, more than there are. */
const countsOf = (made: Quote, most: number): fc.Arbitrary<readonly VerifiedTasks[]> =>
  fc.array(fc.tuple(fc.nat(most), fc.nat(100_000_000)), { minLength: 6, maxLength: 6 }).map((counts) =>
    classNames(made).map((priceClass, at) => ({
      priceClass,
      tasks: counts[at]?.[0] ?? 0,
      meteredMs: counts[at]?.[1] ?? 0,
    })),
  );
const offerAndCounts = offer.chain((made) =>
  fc
    .tuple(fc.constant(made), countsOf(made, 4000), countsOf(made, 4000))
    .map(([one, fewer, added]) => ({ made: one, fewer, more: plus(fewer, added) })),
);
const plus = (one: readonly VerifiedTasks[], two: readonly VerifiedTasks[]): VerifiedTasks[] =>
  one.map((row, at) => ({
    ...row,
    tasks: row.tasks + (two[at]?.tasks ?? 0),
    meteredMs: row.meteredMs + (two[at]?.meteredMs ?? 0),
  }));
const allOf = ({ pricing, taskCount }: Quote): readonly VerifiedTasks[] =>
  pricing.model === 'fixed'
    ? pricing.classes.map((one) => ({ priceClass: one.class, tasks: one.tasks, meteredMs: 0 }))
    : verified(taskCount);
const rateOf = (made: Quote): bigint =>
  made.pricing.currency === 'GBP' ? 1_000_000n : BigInt(made.fxRateMicro);

const PENNY: FixedPricing = {
  model: 'fixed',
  classes: oneClass(40, 10_000),
  currency: 'GBP',
  startFeeMicro: 20_000,
  softwareMicro: 0,
  storageMicro: 0,
  egressMicro: 0,
  licenceNames: [],
};
const SMALL_AND_LARGE: FixedPricing = {
  ...PENNY,
  classes: [
    { class: 'small', tasks: 3, perTaskMicro: 10_000 },
    { class: 'large', tasks: 2, perTaskMicro: 70_000 },
  ],
};
/** A penny a second. */
const SECONDS: MeasuredPricing = {
  ...{ currency: 'GBP', startFeeMicro: 20_000, softwareMicro: 0, storageMicro: 0, egressMicro: 0 },
  ...{ licenceNames: [], model: 'measured', microPerHour: 36_000_000, estimatedSeconds: 100 },
  ceilingPercent: 120,
};

describe('prices of both models', () => {
  it('never charge less than nothing or more than was held', () => {
    fc.assert(
      fc.property(offerAndCounts, fc.boolean(), ({ made, more }, startFeeDue) => {
        expect(chargePence(made, more, startFeeDue)).to.be.within(0, made.heldPence);
      }),
    );
  });

  it('charge more for more that is verified, nothing for none', () => {
    fc.assert(
      fc.property(offerAndCounts, fc.boolean(), ({ made, fewer, more }, startFeeDue) => {
        expect(chargePence(made, more, startFeeDue)).to.be.at.least(chargePence(made, fewer, startFeeDue));
        expect(chargePence(made, [], startFeeDue)).to.equal(0);
        expect(chargePence(made, verified(0, 5000), startFeeDue), 'seconds of no task').to.equal(0);
      }),
    );
  });

  it('show what the charge is rounded from, and never more than the hold is rounded from', () => {
    fc.assert(
      fc.property(offerAndCounts, ({ made, more }) => {
        const accrued = BigInt(accruedMicro(made, more));
        const percent = made.pricing.model === 'measured' ? 120n : 100n;
        expect(accrued <= (BigInt(made.estimatedMicro) * percent) / 100n).to.equal(true);
        expect(BigInt(chargePence(made, more))).to.equal((accrued * rateOf(made)) / 10_000_000_000n);
      }),
    );
  });

  it('come to the same in whatever order, shards and attempts the tasks are verified', () => {
    const tasks = 60;
    const order = fc.shuffledSubarray([...Array(tasks).keys()], { minLength: 1 });
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
    const names = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: tasks, maxLength: tasks });
    const durations = fc.array(fc.nat(90_000), { minLength: tasks, maxLength: tasks });
    const prices = fc.tuple(fc.oneof(fixedPricing, measuredPricing), fc.tuple(micro, micro, micro));
    fc.assert(
      fc.property(prices, names, durations, order, sizes, ([pricing, each], classOf, ms, list, groups) => {
        const made = quote('test', 790_000, classed(pricing, classOf, each), tasks);
        const rowsOf = (done: readonly number[]): VerifiedTasks[] =>
          ['a', 'b', 'c'].map((priceClass) => {
            const ofClass = done.filter((task) => classOf[task] === priceClass);
            const meteredMs = ofClass.reduce((sum, task) => sum + (ms[task] ?? 0), 0);
            return { priceClass, tasks: ofClass.length, meteredMs };
          });
        const charges: number[] = [];
        for (let at = 0; at < list.length;) {
          at += groups[charges.length % groups.length] ?? 1;
          charges.push(chargePence(made, rowsOf(list.slice(0, at))));
        }
        expect(charges).to.deep.equal([...charges].sort((a, b) => a - b));
        expect(charges.at(-1)).to.equal(chargePence(made, rowsOf([...list].sort((a, b) => a - b)).reverse()));
      }),
    );
  });

  it('do not count tasks beyond the offer, or fewer than none', () => {
    fc.assert(
      fc.property(offer, fc.nat(1000), (made, extra) => {
        const [first, ...rest] = allOf(made);
        const beyond = [{ priceClass: null, meteredMs: 0, ...first, tasks: (first?.tasks ?? 0) + extra }];
        expect(chargePence(made, [...beyond, ...rest])).to.equal(chargePence(made, allOf(made)));
        expect(chargePence(made, verified(-extra))).to.equal(0);
      }),
    );
  });
});

/** The pricing with the classes that tasks of these names make; nothing changes where seconds are measured. */
function classed(
  pricing: TaskPricing,
  classOf: readonly string[],
  each: readonly [number, number, number],
): TaskPricing {
  if (pricing.model === 'measured') return pricing;
  const counted = ['a', 'b', 'c'].map((name, at) => ({
    ...{ class: name, tasks: classOf.filter((one) => one === name).length, perTaskMicro: each[at] ?? 0 },
  }));
  return { ...pricing, classes: counted.filter(({ tasks }) => tasks > 0) };
}

describe('fixed prices', () => {
  it('charge the estimate, to the penny of rounding, when every task is verified', () => {
    fc.assert(
      fc.property(fixedOffer, (made) => {
        const charge = chargePence(made, allOf(made));
        expect(BigInt(charge)).to.equal((BigInt(made.estimatedMicro) * rateOf(made)) / 10_000_000_000n);
        expect(made.heldPence - charge).to.be.within(0, 1);
      }),
    );
  });

  it('charge the start fee once over the executions of a job, never more than one whole job', () => {
    fc.assert(
      fc.property(fixedOffer, fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (made, parts) => {
        const first = allOf(made).map((row, at) => ({
          ...row,
          tasks: Math.floor(row.tasks * (parts[at] ?? 0.5)),
        }));
        const second = allOf(made).map((row, at) => ({ ...row, tasks: row.tasks - (first[at]?.tasks ?? 0) }));
        const isStarted = first.some(({ tasks }) => tasks > 0);
        const sum = chargePence(made, first) + chargePence(made, second, !isStarted);
        expect(sum).to.be.at.most(chargePence(made, allOf(made)));
      }),
    );
  });

  it('are those of the noop tool: a penny a task and two to start, whatever the rate', () => {
    for (const fxRateMicro of [500_000, 790_000, 1_300_000]) {
      const made = quote('test', fxRateMicro, PENNY, 40);
      expect(made.heldPence).to.equal(42);
      expect(chargePence(made, verified(40))).to.equal(42);
      expect(chargePence(made, verified(1))).to.equal(3);
      expect(chargePence(made, verified(39), false)).to.equal(39);
    }
  });

  it('are those of the class of each task, and a task of no class of the offer costs nothing', () => {
    const made = quote('test', 790_000, SMALL_AND_LARGE, 5);
    expect(made).to.include({ estimatedMicro: 190_000, heldPence: 19 });
    expect(computeMicro(made)).to.equal(170_000);
    const rows = (small: number, large: number, other = 0): VerifiedTasks[] => [
      { priceClass: 'large', tasks: large, meteredMs: 0 },
      { priceClass: 'small', tasks: small, meteredMs: 0 },
      { priceClass: 'other', tasks: other, meteredMs: 0 },
    ];
    expect(chargePence(made, rows(1, 0))).to.equal(3);
    expect(chargePence(made, rows(0, 1))).to.equal(9);
    expect(chargePence(made, rows(3, 2))).to.equal(19);
    expect(chargePence(made, rows(5, 1)), 'no more of a class than were offered').to.equal(12);
    expect(chargePence(made, rows(0, 0, 4))).to.equal(0);
    expect(needsVerifiedClasses(made)).to.equal(true);
    expect(needsVerifiedClasses(quote('test', 790_000, PENNY, 40))).to.equal(false);
  });

  it('round a hold up and a charge down at the frozen rate', () => {
    const prices = {
      ...PENNY,
      currency: 'USD' as const,
      classes: oneClass(3, 10_001),
      startFeeMicro: 0,
    };
    const made = quote('test', 790_000, prices, 3);
    expect(made.estimatedMicro).to.equal(30_003);
    expect(made.heldPence).to.equal(3);
    expect(chargePence(made, verified(3))).to.equal(2);
    expect(microToUnits(made.estimatedMicro)).to.equal(0.030003);
  });

  it('stay exact where floating point would not', () => {
    const dear = {
      ...PENNY,
      currency: 'USD' as const,
      classes: oneClass(10_000, 900_000_000_001),
      startFeeMicro: 0,
    };
    const made = quote('test', 999_999, dear, 10_000);
    const exact = 9_000_000_000_010_000n * 999_999n;
    expect(BigInt(chargePence(made, verified(10_000)))).to.equal(exact / 10_000_000_000n);
    expect(BigInt(made.heldPence)).to.equal(exact / 10_000_000_000n + 1n);
  });
});

describe('measured prices', () => {
  it('hold a fifth more than the estimate, and charge the milliseconds of what is verified', () => {
    const made = quote('test', 790_000, SECONDS, 10);
    expect(made).to.include({ estimatedMicro: 1_020_000, heldPence: 123 });
    expect(computeMicro(made)).to.equal(1_000_000);
    expect(chargePence(made, verified(1, 1000))).to.equal(3);
    expect(accruedMicro(made, verified(1, 1234))).to.equal(32_340);
    expect(chargePence(made, verified(10, 100_000))).to.equal(102);
  });

  it('stop at the hold when the tasks take longer than was estimated', () => {
    const made = quote('test', 790_000, SECONDS, 10);
    expect(chargePence(made, verified(10, 120_400))).to.equal(122);
    expect(accruedMicro(made, verified(10, 200_000))).to.equal(1_224_000);
    expect(chargePence(made, verified(10, 999_999_999))).to.equal(122);
    expect(chargePence(made, verified(10, -5)), 'a clock that ran backwards').to.equal(2);
  });

  it('charge the same for the same seconds, in however many tasks they are', () => {
    const made = quote('test', 790_000, { ...SECONDS, startFeeMicro: 0 }, 100);
    const one = chargePence(made, verified(100, 50_050));
    const many = Array.from({ length: 100 }, (_, at) => ({
      ...{ priceClass: null, tasks: 1, meteredMs: at % 2 === 0 ? 500 : 501 },
    }));
    expect(chargePence(made, many)).to.equal(one);
  });
});

describe('a figure that is no amount', () => {
  const faultOf = (pricing: TaskPricing, tasks = 40, rate = 790_000): string => {
    try {
      quote('test', rate, pricing, tasks);
    } catch (error) {
      if (error instanceof Invariant) return error.message;
      throw error;
    }
    return '';
  };

  for (const bad of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
    it(`makes no offer: ${bad}`, () => {
      expect(faultOf({ ...PENNY, classes: oneClass(40, bad) })).to.contain('perTaskMicro');
      expect(faultOf({ ...PENNY, startFeeMicro: bad })).to.contain('startFeeMicro');
      expect(faultOf({ ...PENNY, storageMicro: bad })).to.contain('storageMicro');
      expect(faultOf({ ...SECONDS, microPerHour: bad })).to.contain('microPerHour');
      expect(faultOf({ ...SECONDS, estimatedSeconds: bad })).to.contain('estimatedSeconds');
      expect(faultOf({ ...SECONDS, ceilingPercent: bad })).to.contain('ceilingPercent');
      expect(faultOf(SECONDS, bad)).to.contain('taskCount');
      expect(faultOf(SECONDS, 1, bad)).to.contain('fxRateMicro');
    });
  }

  it('makes no offer when the classes are not those of the tasks', () => {
    const [small, large] = SMALL_AND_LARGE.classes as [
      FixedPricing['classes'][0],
      FixedPricing['classes'][0],
    ];
    expect(faultOf(SMALL_AND_LARGE, 6)).to.contain('5 tasks of 6');
    expect(faultOf({ ...PENNY, classes: [] }, 1)).to.contain('0 tasks of 1');
    expect(faultOf({ ...PENNY, classes: [small, { ...large, class: 'small' }] }, 5)).to.contain('one name');
    expect(faultOf({ ...PENNY, classes: [small, { ...large, tasks: 0 }] }, 3)).to.contain('tasks');
  });

  it('makes no offer that is too large to be exact, and none with a ceiling below the estimate', () => {
    expect(faultOf({ ...PENNY, classes: oneClass(40, 2 ** 52) })).to.contain('too large');
    expect(faultOf({ ...SECONDS, ceilingPercent: 99 })).to.contain('ceilingPercent');
  });
});
