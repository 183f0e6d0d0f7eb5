/**
 * The rule of dispatch over random executions: what is verified and what runs never costs more than is held, whatever tasks take,
 * fail or lose, and whatever the customer has and allows.
 */
import { expect } from 'chai';
import fc from 'fast-check';

import { costLines, dueCredits, dueLines, totalMicro } from '../../../src/domain/charge.ts';
import { coverMs, coversDispatch, extensionsFor, neededPence } from '../../../src/domain/cover.ts';
import type { DispatchedWork } from '../../../src/domain/cover.ts';
import { limitedTo, quote, rateMicroOf, wholeHoldPence } from '../../../src/domain/pricing.ts';
import type { FixedPricing, MeasuredPricing, Quote, VerifiedTasks } from '../../../src/domain/pricing.ts';

const TASKS = 12;
const TASK_SECONDS = 600;
const TASK_MS = TASK_SECONDS * 1000;
const LEG_SECONDS = 60;

interface Task {
  readonly priceClass: string | null;
  state: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  ms: number;
  /** Work that a checkpoint holds, which the task has done at least. */
  keptMs: number;
  /** Work that the last dispatch has covered; null before the first. */
  coveredMs: number | null;
}

const micro = fc.integer({ min: 0, max: 500_000 });
const common = fc.record({
  currency: fc.constantFrom('USD' as const, 'GBP' as const),
  ...{ startFeeMicro: micro, softwareMicro: micro, storageMicro: micro, egressMicro: micro },
  licenceNames: fc.constant([]),
});
const fixed = fc.tuple(fc.integer({ min: 1, max: TASKS - 1 }), micro, micro).map(([first, one, other]) => ({
  model: 'fixed' as const,
  classes: [
    { class: 'a', tasks: first, perTaskMicro: one },
    { class: 'b', tasks: TASKS - first, perTaskMicro: other },
  ],
}));
const measured = fc
  .tuple(fc.integer({ min: 0, max: 40_000_000 }), fc.integer({ min: 0, max: 3_000 }))
  .map(([microPerHour, estimatedSeconds]) => ({
    ...{ model: 'measured' as const, microPerHour, estimatedSeconds, ceilingPercent: 120 },
  }));
type Model =
  | Pick<FixedPricing, 'model' | 'classes'>
  | Pick<MeasuredPricing, 'model' | 'microPerHour' | 'estimatedSeconds' | 'ceilingPercent'>;
const offers = (model: fc.Arbitrary<Model>): fc.Arbitrary<Quote> =>
  fc
    .tuple(common, model, fc.integer({ min: 200_000, max: 5_000_000 }))
    .map(([rest, one, rate]) => quote('test', rate, { ...rest, ...one }, TASKS));
const moves = fc.array(fc.record({ kind: fc.nat(9), pick: fc.nat(1000), ms: fc.nat(900_000) }), {
  maxLength: 80,
});

/** An execution of a dozen tasks with a hold, and a wallet from which the hold may be extended. */
class Execution {
  readonly offer: Quote;
  readonly limitPence: number | null;
  readonly tasks: Task[];
  readonly startFeeDue: boolean;
  wallet: number;
  extendedPence = 0;
  refusals = 0;

  constructor(whole: Quote, wallet: number, limitPence: number | null, startFeeDue = true) {
    this.offer = limitedTo(whole, limitPence);
    this.limitPence = limitPence;
    this.wallet = wallet;
    this.startFeeDue = startFeeDue;
    const { pricing } = this.offer;
    const classes = pricing.model === 'fixed' ? pricing.classes : [{ class: null, tasks: TASKS }];
    this.tasks = classes.flatMap((one) =>
      Array.from({ length: one.tasks }, () => ({
        ...{ priceClass: one.class, state: 'PENDING' as const },
        ...{ ms: 0, keptMs: 0, coveredMs: null },
      })),
    );
  }

  get heldPence(): number {
    return this.offer.heldPence + this.extendedPence;
  }

  /** What a dispatch looks at; `next` is the task that is to run. */
  work(next: Task | null): DispatchedWork {
    const open = this.tasks.filter((task) => task.state === 'RUNNING' || task === next);
    const done = this.tasks.filter(({ state }) => state === 'SUCCEEDED');
    return {
      verified: this.verified(),
      open: open.map((task) => ({
        ...{ priceClass: task.priceClass, tasks: 1, keptMs: task.keptMs },
        coveredMs: task === next ? null : task.coveredMs,
      })),
      longestMs: Math.max(0, ...done.map(({ ms }) => ms)),
      ...{ taskSeconds: TASK_SECONDS, legSeconds: LEG_SECONDS },
      startFeeDue: this.startFeeDue,
    };
  }

  verified(): VerifiedTasks[] {
    return this.tasks
      .filter(({ state }) => state === 'SUCCEEDED')
      .map(({ priceClass, ms }) => ({ priceClass, tasks: 1, meteredMs: ms }));
  }

  /** Dispatches a task as the service does; false when the hold does not cover the task. */
  dispatch(task: Task): boolean {
    const work = this.work(task);
    const needed = neededPence(this.offer, work);
    if (needed > this.heldPence) {
      const step = extensionsFor(needed, this.heldPence, this.limitPence).find((one) => one <= this.wallet);
      if (step === undefined) {
        this.refusals += 1;
        return false;
      }
      this.wallet -= step;
      this.extendedPence += step;
    }
    task.coveredMs = coverMs(this.offer, { keptMs: task.keptMs, coveredMs: null }, work);
    task.state = 'RUNNING';
    return true;
  }

  get ceilingSeconds(): number {
    const { pricing } = this.offer;
    return pricing.model === 'measured' ? pricing.estimatedSeconds * 1.2 : 0;
  }

  charge(): number {
    const lines = dueLines(this.offer, this.verified(), this.startFeeDue, this.extendedPence);
    return dueCredits(this.offer, lines).duePence;
  }

  /** One thing that happens. */
  move({ kind, pick, ms }: { kind: number; pick: number; ms: number }): void {
    const of = (state: Task['state']): Task | undefined => {
      const found = this.tasks.filter((task) => task.state === state);
      return found[pick % Math.max(1, found.length)];
    };
    const next = of('PENDING');
    const running = of('RUNNING');
    const done = of('SUCCEEDED');
    if (kind <= 4 && next !== undefined) this.dispatch(next);
    else if (kind <= 7 && running !== undefined)
      Object.assign(running, { state: 'SUCCEEDED', ms: Math.max(ms, running.keptMs) });
    else if (kind === 8 && running !== undefined)
      Object.assign(
        running,
        pick % 2 === 0 ? { state: 'FAILED' } : { state: 'PENDING', keptMs: Math.max(ms, running.keptMs) },
      );
    // The output of a verified task is lost, and the task is to run again.
    else if (kind === 9 && done !== undefined)
      Object.assign(done, { state: 'PENDING', ms: 0, keptMs: 0, coveredMs: null });
  }
}

const PENNY = 10_000_000_000n;
const priceOf = (offer: Quote, verified: readonly VerifiedTasks[], startFeeDue: boolean): bigint =>
  totalMicro(costLines(offer, verified, startFeeDue)) * rateMicroOf(offer);

describe('what a hold covers', () => {
  it('is never less than what is verified and what runs, at each dispatch, and never less than the charge', () => {
    const any = fc.oneof(offers(fixed), offers(measured));
    fc.assert(
      fc.property(
        any,
        fc.nat(3000),
        fc.option(fc.integer({ min: 1, max: 3000 })),
        fc.boolean(),
        moves,
        (offer, wallet, limit, fee, list) => {
          const execution = new Execution(offer, wallet, limit, fee);
          for (const move of list) {
            const runningBefore = execution.tasks.filter(({ state }) => state === 'RUNNING').length;
            execution.move(move);
            const isDispatched =
              execution.tasks.filter(({ state }) => state === 'RUNNING').length > runningBefore;
            if (isDispatched) {
              const { verified, longestMs } = execution.work(null);
              const { pricing } = execution.offer;
              const share =
                pricing.model === 'measured' ? Math.floor((pricing.estimatedSeconds * 1200) / TASKS) : 0;
              const open = execution.tasks
                .filter(({ state }) => state === 'RUNNING')
                .map(({ priceClass, keptMs }) => ({
                  ...{ priceClass, tasks: 1 },
                  meteredMs: Math.max(
                    keptMs,
                    Math.min(Math.max(share, keptMs === 0 ? longestMs : 0), TASK_MS),
                  ),
                }));
              const most = priceOf(execution.offer, [...verified, ...open], fee);
              expect(most <= BigInt(execution.heldPence) * PENNY, 'covered').to.equal(true);
            }
            expect(execution.charge()).to.be.within(0, execution.heldPence);
            expect(execution.wallet).to.be.at.least(0);
            if (limit !== null) expect(execution.heldPence).to.be.at.most(limit);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is every task of a fixed price that is held whole, so such a job never looks', () => {
    fc.assert(
      fc.property(offers(fixed), fc.boolean(), moves, (offer, fee, list) => {
        expect(coversDispatch(offer, false)).to.equal(false);
        const execution = new Execution(offer, 0, null, fee);
        for (const move of list) execution.move(move);
        for (const task of execution.tasks) if (task.state === 'PENDING') execution.dispatch(task);
        expect(execution.refusals).to.equal(0);
      }),
      { numRuns: 500 },
    );
  });

  it('is every measured task while none takes longer than its share of the ceiling', () => {
    fc.assert(
      fc.property(offers(measured), moves, (offer, list) => {
        const { pricing } = offer;
        if (pricing.model !== 'measured') throw new Error('not measured');
        expect(coversDispatch(offer, false)).to.equal(true);
        const share = Math.min((pricing.estimatedSeconds * 1200) / TASKS, TASK_SECONDS * 1000);
        const execution = new Execution(offer, 0, null);
        // A task that has kept all of its share and goes on takes longer than that.
        const mostMs = Math.max(0, Math.ceil(share) - 1);
        for (const { ms, ...move } of list) execution.move({ ...move, ms: Math.min(ms, mostMs) });
        for (const task of execution.tasks) if (task.state === 'PENDING') execution.dispatch(task);
        expect(execution.refusals).to.equal(0);
      }),
      { numRuns: 500 },
    );
  });

  it('comes to all that work takes, however long, where credits suffice, by a few extensions', () => {
    fc.assert(
      fc.property(offers(measured), fc.array(fc.nat(600_000), { minLength: TASKS }), (offer, ms) => {
        const execution = new Execution(offer, 10_000_000, null);
        for (const [at, task] of execution.tasks.entries()) {
          expect(execution.dispatch(task)).to.equal(true);
          Object.assign(task, { state: 'SUCCEEDED', ms: ms[at] ?? 0 });
        }
      }),
      { numRuns: 300 },
    );
    // A job that takes ten times as long as was estimated.
    const pricing = {
      ...{ currency: 'GBP' as const, startFeeMicro: 0, softwareMicro: 0, storageMicro: 0, egressMicro: 0 },
      ...{ licenceNames: [], model: 'measured' as const, microPerHour: 36_000_000 },
      ...{ estimatedSeconds: 1_000, ceilingPercent: 120 },
    };
    const long = new Execution(quote('test', 1_000_000, pricing, TASKS), 10_000_000, null);
    let steps = 0;
    for (const task of long.tasks) {
      const before = long.extendedPence;
      long.dispatch(task);
      if (long.extendedPence > before) steps += 1;
      Object.assign(task, { state: 'SUCCEEDED', ms: 833_333 });
    }
    expect(steps).to.be.within(1, 10);
  });

  it('is the next leg of a task that goes on, so all that it keeps is charged, and a task of any length takes few legs', () => {
    fc.assert(
      fc.property(
        offers(measured),
        fc.nat(2_000_000),
        fc.nat(5_000),
        fc.integer({ min: 1, max: 20_000 }),
        (offer, longMs, wallet, pieceMs) => {
          const execution = new Execution(offer, wallet, null);
          const [task] = execution.tasks;
          if (task === undefined) throw new Error('no task');
          let legs = 0;
          while (task.ms < longMs && execution.dispatch(task)) {
            legs += 1;
            const from = task.keptMs;
            // The task is handed back at its last checkpoint within the leg, and at its first one in any case.
            const pieces = Math.max(1, Math.floor(((task.coveredMs ?? 0) - from) / pieceMs));
            Object.assign(task, { state: 'PENDING', keptMs: Math.min(longMs, from + pieces * pieceMs) });
            task.ms = task.keptMs;
          }
          const isDone = task.ms >= longMs;
          const share = Math.max(1, Math.floor((execution.ceilingSeconds * 1000) / TASKS));
          const whole = Math.ceil(longMs / Math.max(pieceMs, LEG_SECONDS * 500));
          expect(legs).to.be.at.most(4 + whole + Math.log2(Math.max(1, (LEG_SECONDS * 2000) / share)));
          if (task.ms === 0) return;
          const work = isDone
            ? { priceClass: null, tasks: 1, meteredMs: task.ms }
            : { priceClass: null, tasks: 0, meteredMs: 0, keptMs: task.ms };
          const due = dueCredits(offer, dueLines(offer, [work], true, execution.extendedPence)).duePence;
          const most = dueCredits(offer, costLines(offer, [{ ...work, tasks: 0 }], true)).duePence;
          // What is done beyond the cover is less than a piece, where pieces are longer than a leg.
          if (pieceMs <= share && !isDone) expect(due).to.equal(most);
          expect(due).to.be.at.most(execution.heldPence);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('stops a limited fixed price exactly at the limit', () => {
    const pricing = {
      ...{
        currency: 'GBP' as const,
        startFeeMicro: 20_000,
        softwareMicro: 0,
        storageMicro: 0,
        egressMicro: 0,
      },
      ...{
        licenceNames: [],
        model: 'fixed' as const,
        classes: [{ class: 'task', tasks: TASKS, perTaskMicro: 10_000 }],
      },
    };
    const whole = quote('test', 1_000_000, pricing, TASKS);
    expect([whole.heldPence, wholeHoldPence(whole), limitedTo(whole, 20).heldPence]).to.deep.equal([
      14, 14, 14,
    ]);
    const execution = new Execution(whole, 1000, 7);
    const dispatched = execution.tasks.filter((task) => execution.dispatch(task));
    expect(dispatched).to.have.length(5);
    expect(execution.extendedPence, 'the limit is not extended').to.equal(0);
    for (const task of dispatched) Object.assign(task, { state: 'SUCCEEDED' });
    expect(execution.charge()).to.equal(7);
  });

  it('is extended by at least a fifth, by what is missing where that is refused, and never beyond the limit', () => {
    expect(extensionsFor(100, 100, null)).to.deep.equal([]);
    expect(extensionsFor(101, 100, null)).to.deep.equal([20, 1]);
    expect(extensionsFor(150, 100, null)).to.deep.equal([50]);
    expect(extensionsFor(101, 100, 110)).to.deep.equal([10, 1]);
    expect(extensionsFor(111, 100, 110)).to.deep.equal([]);
  });
});
