/** An instance that is about to be taken away: who is told when, what still runs there, and what goes to the next generation. */
import { expect } from 'chai';

import type { ShardInput, ShardResult } from '../../src/contracts/instance.ts';
import { doneReport, type FakeJob, type Hook } from './fake-job.ts';
import { together } from './together.ts';
import { until } from '../support/until.ts';

const PLAN = { taskCount: 40, shardSize: 2, slotsPerInstance: 2 };

/** Whether the next generation was asked for. */
const isAskedAgain = (job: FakeJob): boolean =>
  job.of('launchInstance').some(({ generation }) => generation === 2);

/**
 * An instance that drains from its third shard on. The first task of that shard runs until the next generation has been asked for;
 * every other task that comes to the instance is handed back.
 */
function drainingInstance(job: FakeJob): Hook {
  let kept: number | null = null;
  let isDraining = false;
  return async (request, call): Promise<ShardResult | undefined> => {
    const { generation, ordinals } = request as ShardInput;
    if (generation !== 1) return undefined;
    const [first = -1] = ordinals;
    if (call === 3 && !isDraining) {
      isDraining = true;
      kept = first;
      return { fenced: false, draining: true, reports: backOf(ordinals.slice(1)) };
    }
    if (!isDraining) return undefined;
    if (first !== kept) return { fenced: false, draining: true, reports: backOf(ordinals) };
    await until('the next generation is asked for', () => isAskedAgain(job), 60_000);
    return { fenced: false, draining: true, reports: [doneReport(first)] };
  };
}

const backOf = (ordinals: readonly number[]): ShardResult['reports'] =>
  ordinals.map((ordinal) => ({ ordinal, end: 'interrupted' }));

together('a drained instance', {
  'of a job': (test) => {
    test('has its successor launched before its last task has ended, and nothing verified runs twice', async (world) => {
      const { job, result } = await world.run(
        { plan: PLAN, timing: { computeHeartbeatSeconds: 60 } },
        (one) => {
          one.on('runShard', drainingInstance(one));
        },
      );
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 40 });
      expect(job.of('launchInstance').map(({ generation }) => generation as number)).to.deep.equal([1, 2]);
      expect(job.of('replaceInstance')).to.deep.equal([
        { jobId: job.id, slot: 0, generation: 1, execution: 1, cause: 'PREEMPTED' },
      ]);
      const names = job.calls.map(({ name, request }) => `${name}/${String(request.generation)}`);
      expect(names.indexOf('launchInstance/2'), 'launched before it is fenced').to.be.lessThan(
        names.indexOf('replaceInstance/1'),
      );
      // Both lanes had parts there; the fence waits for the reports of both.
      expect(names.lastIndexOf('commitTasks/1')).to.be.lessThan(names.indexOf('replaceInstance/1'));
      const committed = job.of('commitTasks').flatMap(({ reports }) => reports as { ordinal: number }[]);
      expect(new Set(committed.map(({ ordinal }) => ordinal)).size).to.equal(committed.length);
      expect(job.of('inquireInstance')).to.deep.equal([]);
      expect(job.states.at(-1)).to.equal('FINALIZING');
    });

    test('that ends every task before it goes is retired all the same, and its parts are done', async (world) => {
      const { job, result } = await world.run({ plan: { ...PLAN, taskCount: 2 } }, (one) => {
        one.on('runShard', (request) => {
          const { ordinals } = request as ShardInput;
          return { fenced: false, draining: true, reports: ordinals.map(doneReport) };
        });
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 2 });
      expect(job.of('replaceInstance').map(({ cause }) => cause as string)).to.deep.equal(['PREEMPTED']);
      expect(job.of('runShard')).to.have.length(1);
    });

    test('keeps nothing from a cancel', async (world) => {
      const job = world.job({ plan: PLAN });
      job.on('runShard', (request) => {
        const { ordinals, generation } = request as ShardInput;
        return generation === 1
          ? { fenced: false, draining: true, reports: backOf(ordinals) }
          : new Promise(() => undefined);
      });
      const { handle } = await world.start(job, { plan: PLAN });
      await until(
        'the next generation has work',
        () => job.of('runShard').some(({ generation }) => generation === 2),
        60_000,
      );
      await world.workflows.cancel(job.id, null);
      expect(await handle.result()).to.deep.include({ state: 'CANCELLED', verified: 0 });
      expect(job.of('fenceJob')).to.have.length(1);
      expect(job.workers.size).to.equal(0);
    });
  },
});
