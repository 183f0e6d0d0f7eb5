import { expect } from 'chai';
import fc from 'fast-check';

import {
  accruedMicro,
  chargePence,
  microToUnits,
  quote,
  type Quote,
  type TaskPricing,
} from '../../../src/domain/pricing.ts';

const micro = fc.integer({ min: 0, max: 50_000_000 });
const pricing: fc.Arbitrary<TaskPricing> = fc.record({
  currency: fc.constantFrom('USD', 'GBP'),
  perTaskMicro: micro,
  startFeeMicro: micro,
  softwareMicro: micro,
  storageMicro: micro,
  egressMicro: micro,
  licenceNames: fc.constant([]),
});
const offer: fc.Arbitrary<Quote> = fc
  .tuple(pricing, fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 100_000, max: 2_000_000 }))
  .map(([prices, tasks, fxRateMicro]) => quote('test', fxRateMicro, prices, tasks));
const offerAndCounts = offer.chain((one) =>
  fc
    .tuple(fc.constant(one), fc.nat(one.taskCount), fc.nat(one.taskCount))
    .map(([made, a, b]) => ({ offer: made, fewer: Math.min(a, b), more: Math.max(a, b) })),
);

const noop: TaskPricing = {
  currency: 'GBP',
  perTaskMicro: 10_000,
  startFeeMicro: 20_000,
  softwareMicro: 0,
  storageMicro: 0,
  egressMicro: 0,
  licenceNames: [],
};

describe('prices', () => {
  it('never charge less than nothing or more than was held', () => {
    fc.assert(
      fc.property(offerAndCounts, fc.boolean(), ({ offer: made, more }, startFeeDue) => {
        expect(chargePence(made, more, startFeeDue)).to.be.within(0, made.heldPence);
      }),
    );
  });

  it('charge more for more verified tasks, nothing for none', () => {
    fc.assert(
      fc.property(offerAndCounts, fc.boolean(), ({ offer: made, fewer, more }, startFeeDue) => {
        expect(chargePence(made, more, startFeeDue)).to.be.at.least(chargePence(made, fewer, startFeeDue));
        expect(chargePence(made, 0, startFeeDue)).to.equal(0);
      }),
    );
  });

  it('show what the charge is rounded from, and never more than the estimate, whatever count is asked for', () => {
    const counts = fc.oneof(fc.nat(20_000), fc.integer({ min: -5, max: 0 }));
    fc.assert(
      fc.property(offer, counts, (made, verified) => {
        const accrued = accruedMicro(made, verified);
        const rate = made.pricing.currency === 'GBP' ? 1_000_000n : BigInt(made.fxRateMicro);
        expect(accrued).to.be.within(0, made.estimatedMicro);
        expect(BigInt(chargePence(made, verified))).to.equal((BigInt(accrued) * rate) / 10_000_000_000n);
      }),
    );
  });

  it('charge the estimate, to the penny of rounding, when every task is verified', () => {
    fc.assert(
      fc.property(offer, (made) => {
        const rate = made.pricing.currency === 'GBP' ? 1_000_000n : BigInt(made.fxRateMicro);
        const exact = BigInt(made.estimatedMicro) * rate;
        const charge = chargePence(made, made.taskCount);
        expect(BigInt(charge)).to.equal(exact / 10_000_000_000n);
        expect(made.heldPence - charge).to.be.within(0, 1);
      }),
    );
  });

  it('come to the same in whatever order and groups the tasks are verified', () => {
    const tasks = 60;
    const verified = fc.shuffledSubarray([...Array(tasks).keys()], { minLength: 1 });
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
    fc.assert(
      fc.property(pricing, verified, sizes, (prices, order, groups) => {
        const made = quote('test', 790_000, prices, tasks);
        const done = new Set<number>();
        const charges: number[] = [];
        for (let at = 0; at < order.length;) {
          const size = groups[charges.length % groups.length] ?? 1;
          for (const task of order.slice(at, at + size)) done.add(task);
          at += size;
          charges.push(chargePence(made, done.size));
        }
        expect(charges).to.deep.equal([...charges].sort((a, b) => a - b));
        expect(charges.at(-1)).to.equal(chargePence(made, order.length));
      }),
    );
  });

  it('charge the start fee once over the executions of a job, never more than one whole job', () => {
    fc.assert(
      fc.property(offerAndCounts, ({ offer: made, fewer }) => {
        const rest = made.taskCount - fewer;
        const first = chargePence(made, fewer);
        const second = chargePence(made, rest, fewer === 0);
        expect(first + second).to.be.at.most(chargePence(made, made.taskCount));
      }),
    );
  });

  it('do not count tasks beyond the offer, or fewer than none', () => {
    fc.assert(
      fc.property(offer, fc.nat(1000), (made, extra) => {
        expect(chargePence(made, made.taskCount + extra)).to.equal(chargePence(made, made.taskCount));
        expect(chargePence(made, -extra)).to.equal(0);
      }),
    );
  });

  it('are those of the noop tool: a penny a task and two to start, whatever the rate', () => {
    for (const fxRateMicro of [500_000, 790_000, 1_300_000]) {
      const made = quote('test', fxRateMicro, noop, 40);
      expect(made.heldPence).to.equal(42);
      expect(chargePence(made, 40)).to.equal(42);
      expect(chargePence(made, 1)).to.equal(3);
      expect(chargePence(made, 39, false)).to.equal(39);
    }
  });

  it('round a hold up and a charge down at the frozen rate', () => {
    const made = quote(
      'test',
      790_000,
      { ...noop, currency: 'USD', perTaskMicro: 10_001, startFeeMicro: 0 },
      3,
    );
    expect(made.estimatedMicro).to.equal(30_003);
    expect(made.heldPence).to.equal(3);
    expect(chargePence(made, 3)).to.equal(2);
    expect(microToUnits(made.estimatedMicro)).to.equal(0.030003);
  });

  it('stay exact where floating point would not', () => {
    const dear = { ...noop, currency: 'USD' as const, perTaskMicro: 900_000_000_001, startFeeMicro: 0 };
    const made = quote('test', 999_999, dear, 10_000);
    const exact = 9_000_000_000_010_000n * 999_999n;
    expect(BigInt(chargePence(made, 10_000))).to.equal(exact / 10_000_000_000n);
    expect(BigInt(made.heldPence)).to.equal(exact / 10_000_000_000n + 1n);
  });
});
