/**
 * Random walks over a job that stops and goes on. After every command: each task was charged at most once, no execution is
 * charged more than its hold, and nothing is held while the job is paused or has ended. In the end the job has the result of
 * a run that nothing disturbed, and each task was charged once.
 */
import { expect } from 'chai';
import fc from 'fast-check';

import type { TaskPricing } from '../../../src/domain/pricing.ts';
import { commandOf, MOST } from '../../support/walks/commands.ts';
import { JobModel } from '../../support/walks/job-model.ts';
import type { ModelJob } from '../../support/walks/job-model.ts';
import { IS_LONG } from '../../support/long.ts';

const WALKS = IS_LONG ? 10_000 : 3_000;
const micro = fc.integer({ min: 0, max: 5_000_000 });
const common = fc.record({
  currency: fc.constantFrom('USD' as const, 'GBP' as const),
  ...{ startFeeMicro: micro, softwareMicro: micro, storageMicro: micro, egressMicro: micro },
  licenceNames: fc.constant([]),
});
/** The price class of each task: one of all, of three, or the seconds are measured. */
const pricings = fc.tuple(
  common,
  fc.constantFrom(1, 3, null),
  micro,
  fc.array(fc.nat(2), { minLength: 1, maxLength: 9 }),
);
const jobs: fc.Arbitrary<ModelJob> = fc
  .tuple(fc.constantFrom('standard' as const, 'resumable' as const), fc.boolean(), pricings)
  .map(([mode, merge, [rest, count, price, drawn]]) => {
    const names = drawn.map((one) => `c${String(one % (count ?? 1))}`);
    const classes = [...new Set(names)].map((name, at) => ({
      ...{ class: name, tasks: names.filter((one) => one === name).length },
      perTaskMicro: price + at * 70_001,
    }));
    const work = { microPerHour: price * 10, estimatedSeconds: drawn.length * 20, ceilingPercent: 120 };
    const pricing: TaskPricing =
      count === null ? { ...rest, ...work, model: 'measured' } : { ...rest, classes, model: 'fixed' };
    const credits = Math.floor(price / 10_000);
    return {
      mode,
      merge,
      pricing,
      credits,
      classes: names.map((name) => (classes.length > 1 ? name : null)),
    };
  });

describe('a random walk over a job', () => {
  it('never charges a task twice or more than is held, holds nothing when it stops, and ends as an undisturbed run', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(jobs, fc.array(fc.nat(MOST - 1), { minLength: 5, maxLength: 60 }), (job, walk) => {
        const model = new JobModel(job);
        for (const number of walk) {
          const { command, pick } = commandOf(number);
          command.run(model, pick);
          seen.add(model.status).add(`execution ${String(Math.min(4, model.execution.n))}`);
          isSound(model);
        }
        toTheEnd(model);
        isSound(model);
        expect(model.charges).to.deep.equal(job.classes.map(() => 1));
        expect(model.result).to.deep.equal(toTheEnd(new JobModel(job)).result);
      }),
      {
        numRuns: WALKS,
        // oxlint-disable-next-line typescript/no-deprecated -- a plugin is told of all runs, where this one has the failed walk at hand
        reporter: (run) => {
          if (!run.failed) return;
          const walk = run.counterexample?.[1].map((number) => commandOf(number).command.name);
          throw new Error(`seed ${String(run.seed)}: ${JSON.stringify(walk)}: ${String(run.errorInstance)}
            of ${JSON.stringify(run.counterexample)}`);
        },
      },
    );
    // The walks are worth something only if they come everywhere; one in thousands has a fourth execution.
    const ends = ['PAUSED', 'FAILED', 'CANCELLED', 'PARTIALLY_SUCCEEDED', 'SUCCEEDED', 'RECOVERING'];
    expect([...seen]).to.include.members([...ends, 'execution 3']);
  });
});

/** The rules of money, after each command. */
function isSound(model: JobModel): void {
  for (const { n, quote, limitPence, extendedPence, chargedPence } of model.executions) {
    const heldPence = quote.heldPence + extendedPence;
    if (limitPence !== null) expect(heldPence, 'a hold with a limit').to.be.at.most(limitPence);
    const isLast = n === model.execution.n;
    if (!isLast || model.isStopped)
      expect(chargedPence, `charge of execution ${String(n)}`).to.be.a('number');
    else expect(chargedPence, 'an open hold').to.equal(null);
    expect(chargedPence ?? 0, 'the charge').to.be.within(0, heldPence);
  }
  expect(Math.max(...model.charges), 'charges of a task').to.be.at.most(1);
}

/** Nothing disturbs the job any more: it is resumed and worked on until it has succeeded. */
function toTheEnd(model: JobModel): JobModel {
  // Each execution does at least one task, however little its hold is extended.
  for (let turn = 0; turn < 60 && model.status !== 'SUCCEEDED'; turn += 1) {
    model.resume();
    model.claim(model.tasks.length);
    for (let task = 0; task < model.tasks.length; task += 1) model.verify(0);
    model.step(1);
  }
  expect(model.status).to.equal('SUCCEEDED');
  return model;
}
