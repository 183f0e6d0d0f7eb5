/** The lines of a bill: they come to the charge, to the status and to what the formula of prices says, in every case. */
import { expect } from 'chai';
import fc from 'fast-check';

import { accruedMicro, chargePence, dueCredits, dueLines, totalMicro } from '../../../src/domain/charge.ts';
import { computeMicro, quote, softwareMicro } from '../../../src/domain/pricing.ts';
import type { PriceClass, Quote, VerifiedTasks } from '../../../src/domain/pricing.ts';

const micro = fc.integer({ min: 0, max: 50_000_000 });
const common = fc.record({
  currency: fc.constantFrom('USD' as const, 'GBP' as const),
  ...{ startFeeMicro: micro, softwareMicro: micro, storageMicro: micro, egressMicro: micro },
  licenceNames: fc.constant([]),
});
const fixed = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3000 }), micro), { minLength: 1, maxLength: 5 })
  .map((list) =>
    list.map(([tasks, perTaskMicro], at) => ({
      ...{ class: `c${at}`, tasks, perTaskMicro },
      // Every second class has one that costs less.
      ...(at % 2 === 0
        ? {}
        : { less: [{ class: `c${at} of 1`, perTaskMicro: Math.floor(perTaskMicro / 3) }] }),
    })),
  )
  .map((classes) => ({ model: 'fixed' as const, classes }));
const measured = fc
  .tuple(fc.nat(10_000_000), fc.nat(1_000_000), fc.option(fc.nat(5_000_000), { nil: undefined }))
  .map(([microPerHour, estimatedSeconds, softwareMicroPerHour]) => ({
    ...{ model: 'measured' as const, microPerHour, estimatedSeconds, ceilingPercent: 120 },
    ...(softwareMicroPerHour === undefined ? {} : { softwareMicroPerHour }),
  }));
const offers: fc.Arbitrary<Quote> = fc
  .tuple(common, fc.oneof(fixed, measured), fc.integer({ min: 200_000, max: 5_000_000 }))
  .map(([rest, model, rate]) => {
    const tasks = model.model === 'fixed' ? model.classes.reduce((sum, one) => sum + one.tasks, 0) : 700;
    return quote('test', rate, { ...rest, ...model }, tasks);
  });
/** Verified tasks of an offer: none, some, all, and more than there are. */
const cases = fc.tuple(
  offers,
  fc.array(fc.tuple(fc.nat(4000), fc.nat(100_000_000)), { minLength: 5, maxLength: 5 }),
  fc.boolean(),
);

function countsOf({ pricing }: Quote, counts: readonly (readonly [number, number])[]): VerifiedTasks[] {
  const names = pricing.model === 'fixed' ? pricing.classes.flatMap(namesOf) : [null];
  return names.map((priceClass, at) => {
    const [tasks = 0, meteredMs = 0] = counts[at] ?? [];
    return { priceClass, tasks, meteredMs };
  });
}

function namesOf(one: PriceClass): string[] {
  return [one.class, ...(one.less ?? []).map((each) => each.class)];
}

/** The sum that is due, straight from the words of the contract. */
function formula(
  { pricing, taskCount, fxRateMicro }: Quote,
  verified: readonly VerifiedTasks[],
  fee: boolean,
) {
  const all = Math.min(
    verified.reduce((sum, { tasks }) => sum + tasks, 0),
    taskCount,
  );
  let [done, work, whole] = [0, 0n, 0n];
  if (pricing.model === 'measured') {
    const ms = verified.reduce((sum, { meteredMs }) => sum + meteredMs, 0);
    done = all;
    const rates = [BigInt(pricing.microPerHour), BigInt(pricing.softwareMicroPerHour ?? 0)];
    work = rates.reduce((total, rate) => total + (rate * BigInt(ms)) / 3_600_000n, 0n);
    whole = rates.reduce(
      (total, rate) => total + (rate * BigInt(pricing.estimatedSeconds) + 3599n) / 3600n,
      0n,
    );
  } else if (pricing.model === 'fixed') {
    for (const one of pricing.classes) {
      const ofClass = verified.find(({ priceClass }) => priceClass === one.class)?.tasks ?? 0;
      const tasks = pricing.classes.length === 1 ? all : Math.min(ofClass, one.tasks);
      done += tasks;
      work += BigInt(one.perTaskMicro) * BigInt(tasks);
      for (const lesser of one.less ?? []) {
        const fewer = verified.find(({ priceClass }) => priceClass === lesser.class)?.tasks ?? 0;
        const left = Math.min(fewer, one.tasks - tasks);
        done += left;
        work += BigInt(lesser.perTaskMicro) * BigInt(left);
      }
      whole += BigInt(one.perTaskMicro) * BigInt(one.tasks);
    }
  }
  if (done === 0) return { due: 0n, pence: 0 };
  const rest = BigInt(pricing.softwareMicro + pricing.storageMicro + pricing.egressMicro);
  const due = work + (fee ? BigInt(pricing.startFeeMicro) : 0n) + (rest * BigInt(done)) / BigInt(taskCount);
  const percent = pricing.model === 'measured' ? 120n : 100n;
  const most = ((whole + BigInt(pricing.startFeeMicro) + rest) * percent) / 100n;
  const capped = due < most ? due : most;
  const rate = pricing.currency === 'GBP' ? 1_000_000n : BigInt(fxRateMicro);
  return { due: capped, pence: Number((capped * rate) / 10_000_000_000n) };
}

describe('the lines of a bill', () => {
  it('come to the charge: sum, conversion and rounding, for every price and everything that may be verified', () => {
    fc.assert(
      fc.property(cases, ([offer, counts, fee]) => {
        const verified = countsOf(offer, counts);
        const lines = dueLines(offer, verified, fee);
        const expected = formula(offer, verified, fee);
        expect(totalMicro(lines)).to.equal(expected.due);
        const { convertedMicro, duePence } = dueCredits(offer, lines);
        expect(duePence)
          .to.equal(expected.pence)
          .and.to.equal(chargePence(offer, verified, fee));
        expect(duePence).to.be.within(0, offer.heldPence);
        const rounding = BigInt(duePence) * 10_000n - convertedMicro;
        expect(rounding <= 0n && rounding > -10_000n, String(rounding)).to.equal(true);
        if (fee) expect(accruedMicro(offer, verified)).to.equal(Number(expected.due));
      }),
      { numRuns: 500 },
    );
  });

  it('have the licences of measured seconds as a line of their own, with these seconds', () => {
    const offer = quote(
      'test',
      1,
      {
        ...{ licenceNames: ['Lumen'], currency: 'GBP' as const, startFeeMicro: 0, softwareMicro: 0 },
        ...{ storageMicro: 0, egressMicro: 0, model: 'measured', microPerHour: 3_600_000 },
        ...{ softwareMicroPerHour: 7_200_000, estimatedSeconds: 10, ceilingPercent: 120 },
      },
      2,
    );
    expect([computeMicro(offer), softwareMicro(offer), offer.estimatedMicro]).to.deep.equal([
      10_000, 20_000, 30_000,
    ]);
    const lines = dueLines(offer, [{ priceClass: null, tasks: 1, meteredMs: 1500 }]);
    expect(lines.map((line) => [line.kind, line.meteredMs, Number(line.amountMicro)])).to.deep.equal([
      ['time', 1500, 1500],
      ['software', 1500, 3000],
    ]);
  });

  it('name each cost once and nothing that costs nothing, and take away what is above the ceiling', () => {
    const FREE = { licenceNames: [], currency: 'GBP' as const };
    const offer = quote(
      'test',
      1,
      {
        ...{ ...FREE, startFeeMicro: 10, softwareMicro: 0, storageMicro: 1, egressMicro: 1 },
        ...{ model: 'measured', microPerHour: 3_600_000, estimatedSeconds: 1, ceilingPercent: 120 },
      },
      2,
    );
    const shown = (meteredMs: number, tasks: number, fee = true): unknown =>
      dueLines(offer, [{ priceClass: null, tasks, meteredMs }], fee).map((line) => [
        line.kind,
        line.tasks,
        line.meteredMs,
        Number(line.amountMicro),
      ]);
    expect(shown(1000, 0)).to.deep.equal([]);
    expect(shown(500, 1)).to.deep.equal([
      ['start_fee', null, null, 10],
      ['time', 1, 500, 500],
      ['egress', null, null, 1],
    ]);
    expect(shown(9000, 2, false)).to.deep.equal([
      ['time', 2, 9000, 9000],
      ['storage', null, null, 1],
      ['egress', null, null, 1],
      ['ceiling', null, null, 1214 - 9002],
    ]);
  });

  it('are the same with tasks for which earlier results stand, but for the start fee where nothing else is verified', () => {
    fc.assert(
      fc.property(cases, fc.integer({ min: 1, max: 4000 }), ([offer, counts, fee], reused) => {
        const verified = countsOf(offer, counts);
        const [first, ...others] = verified;
        if (first === undefined) return;
        const lines = dueLines(offer, verified, fee);
        const withReused = dueLines(offer, [{ ...first, reused }, ...others], fee);
        if (verified.some(({ tasks }) => tasks > 0)) {
          expect(withReused).to.deep.equal(lines);
          return;
        }
        const startFee = fee ? Math.min(offer.pricing.startFeeMicro, Number.MAX_SAFE_INTEGER) : 0;
        expect(withReused.filter(({ kind }) => kind !== 'start_fee' && kind !== 'ceiling')).to.deep.equal([]);
        expect(Number(totalMicro(withReused))).to.be.at.most(startFee);
        expect(chargePence(offer, [{ ...first, reused }, ...others], fee)).to.be.within(0, offer.heldPence);
      }),
    );
  });
});
