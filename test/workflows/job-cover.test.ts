/** A job whose hold must cover each task before its dispatch: what is not covered is not dispatched, and the job pauses. */
import { expect } from 'chai';

import type { CoverRequest, CoverResult } from '../../src/contracts/job.ts';
import { until } from '../support/until.ts';
import { doneReport } from './fake-job.ts';
import type { FakeJob } from './fake-job.ts';
import { together } from './together.ts';
import type { World } from './world.ts';

const COVERED = { admission: { coversDispatch: true } } as const;

/** Covers so many tasks, each once however often it is asked for, and refuses the others. */
function covers(job: FakeJob, count: number): FakeJob {
  const known = new Set<number>();
  return job.on('coverTasks', (request) => {
    const covered: number[] = [];
    for (const ordinal of (request as CoverRequest).ordinals) {
      if (!known.has(ordinal) && known.size >= count) break;
      known.add(ordinal);
      covered.push(ordinal);
    }
    const isAll = covered.length === (request as CoverRequest).ordinals.length;
    const refused = isAll ? null : ({ reason: 'COST_LIMIT', cause: null } as const);
    return { covered, refused } satisfies CoverResult;
  });
}

const ordinalsRun = (job: FakeJob): number[] =>
  job
    .of('runShard')
    .flatMap(({ ordinals }) => ordinals as number[])
    .sort((a, b) => a - b);

/** How many signals the parts of a job have got. */
async function stopsOf(world: World, job: FakeJob): Promise<number> {
  let count = 0;
  for (const id of await world.parts(job)) {
    const { events } = await world.client.workflow.getHandle(id).fetchHistory();
    count += (events ?? []).filter(
      ({ workflowExecutionSignaledEventAttributes: signal }) => signal != null,
    ).length;
  }
  return count;
}

together('jobs that cover their dispatches', {
  'a job whose hold must cover its tasks': (test) => {
    test('has every task covered before it runs, and ends as any other', async (world) => {
      const { job, result } = await world.run({ ...COVERED, plan: { taskCount: 6, shardSize: 2 } });
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 6 });
      const asked = job.of('coverTasks').flatMap(({ ordinals }) => ordinals as number[]);
      expect(asked.sort((a, b) => a - b)).to.deep.equal([0, 1, 2, 3, 4, 5]);
      expect(job.of('coverTasks')[0]).to.deep.include({ jobId: job.id, execution: 1, taskSeconds: 60 });
      const order = job.calls.filter(({ name }) => name === 'coverTasks' || name === 'runShard');
      for (const { request, name } of order.filter((call) => call.name === 'runShard')) {
        expect(name).to.equal('runShard');
        const [first] = request.ordinals as number[];
        const at = order.findIndex(({ request: other }) => other === request);
        const before = order.slice(0, at).flatMap(({ request: { ordinals } }) => ordinals as number[]);
        expect(before).to.include(first);
      }
    });

    test('looks at no hold where all tasks are covered from the start, nor for steps', async (world) => {
      const whole = await world.run({});
      expect(whole.job.of('coverTasks')).to.have.length(0);
      const steps = await world.run({ ...COVERED, plan: { taskCount: 1, steps: ['prepare', 'merge'] } });
      expect(steps.result).to.deep.include({ state: 'SUCCEEDED' });
      expect(steps.job.of('coverTasks').map(({ ordinals }) => ordinals as number[])).to.deep.equal([[0]]);
    });

    test('finishes what is covered, commits it, and pauses with the reason', async (world) => {
      const { job, result } = await world.run({ ...COVERED, plan: { taskCount: 10, shardSize: 2 } }, (one) =>
        covers(one, 5),
      );
      expect(ordinalsRun(job)).to.have.length(5);
      expect(job.count('SUCCEEDED')).to.equal(5);
      expect(result).to.deep.include({ state: null, verified: 5 });
      expect(
        job.of('settleJob').map(({ to, pauseReason }) => [to as string, pauseReason as string]),
      ).to.deep.equal([['PAUSED', 'COST_LIMIT']]);
      const at = (name: string): number => job.calls.findIndex((call) => call.name === name);
      expect(at('fenceJob')).to.be.lessThan(at('settleJob'));
      expect(job.of('releaseCapacity')).to.have.length(1);
      expect(job.workers.size).to.equal(0);
    });

    test('covers the next leg of a task that is handed back, and pauses where it is refused', async (world) => {
      const legs = async (asked: number): Promise<{ job: FakeJob; result: unknown }> =>
        world.run({ ...COVERED, plan: { taskCount: 1 } }, (one) => {
          let [covered, ran] = [0, 0];
          one.on('coverTasks', () => {
            covered += 1;
            const refused = covered > asked ? ({ reason: 'CREDITS', cause: null } as const) : null;
            return { covered: refused === null ? [0] : [], refused };
          });
          one.on('runShard', () => {
            ran += 1;
            return { fenced: false, reports: [ran < 4 ? { ordinal: 0, end: 'interrupted' } : doneReport(0)] };
          });
        });
      const whole = await legs(4);
      expect(whole.result).to.deep.include({ state: 'SUCCEEDED', verified: 1 });
      expect(whole.job.of('runShard')).to.have.length(4);
      expect(whole.job.of('coverTasks')).to.have.length(4);
      expect(whole.job.of('launchInstance'), 'on one instance').to.have.length(1);
      const stopped = await legs(2);
      expect(stopped.job.of('runShard')).to.have.length(2);
      expect(stopped.job.settlements.map(({ to }) => to)).to.deep.equal(['PAUSED']);
      expect(stopped.job.of('replaceInstance'), 'no loss').to.deep.equal([]);
    });

    test('goes on in another part when legs have made the history long', async (world) => {
      let ran = 0;
      const { job, result } = await world.run(
        { ...COVERED, plan: { taskCount: 1 }, maxHistoryEvents: 120 },
        (one) => {
          one.on('runShard', () => {
            ran += 1;
            return {
              fenced: false,
              reports: [ran < 25 ? { ordinal: 0, end: 'interrupted' } : doneReport(0)],
            };
          });
        },
      );
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 1 });
      expect(job.of('runShard')).to.have.length(25);
      const parts = await world.parts(job);
      expect(parts.length).to.be.within(2, 6);
    });

    test('stops on all its instances when one of them is refused', async (world) => {
      const plan = { taskCount: 600, shardSize: 50, instances: 2 };
      const { job } = await world.run({ ...COVERED, plan }, (one) => covers(one, 220));
      expect(ordinalsRun(job).length).to.be.within(120, 220);
      expect(job.count('SUCCEEDED')).to.equal(ordinalsRun(job).length);
      expect(job.settlements.map(({ to }) => to)).to.deep.equal(['PAUSED']);
      expect(job.of('settleJob')[0]).to.deep.include({ pauseReason: 'COST_LIMIT' });
    });

    test('ends when only covered tasks were left, whatever was refused before', async (world) => {
      const { job, result } = await world.run(COVERED, (one) => {
        one.on('coverTasks', (request) => {
          const { ordinals } = request as CoverRequest;
          // Another attempt has decided the tasks that are refused here.
          if (ordinals.includes(3)) {
            one.done.set(3, 'SUCCEEDED');
            return { covered: [], refused: { reason: 'CREDITS', cause: null } };
          }
          return { covered: [...ordinals], refused: null };
        });
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
      expect(job.settlements.map(({ to }) => to)).to.deep.equal(['SUCCEEDED']);
    });

    test('names the state of an account that may hold nothing, and waits for an operator', async (world) => {
      const { job } = await world.run(COVERED, (one) => {
        one.on('coverTasks', () => ({
          covered: [],
          refused: { reason: 'OPERATOR', cause: 'ACCOUNT_SUSPENDED' },
        }));
      });
      expect(job.of('runShard')).to.have.length(0);
      const settled = { to: 'PAUSED', pauseReason: 'OPERATOR', reason: 'ACCOUNT_SUSPENDED' };
      expect(job.of('settleJob')[0]).to.deep.include(settled);
    });

    test('is cancelled while it waits for its cover, and dispatches nothing then', async (world) => {
      const job = world.job(COVERED);
      const cover = job.holds('coverTasks');
      const { handle } = await world.start(job);
      await cover.called();
      await handle.signal('cancel', { reason: null });
      // The signal is in the history before the answer of the cover, so the part knows of the cancel first.
      await until('the part is told', async () => (await stopsOf(world, job)) > 0);
      cover.release();
      expect(await handle.result()).to.deep.include({ state: 'CANCELLED', verified: 0 });
      expect(job.of('runShard')).to.have.length(0);
    });

    test('fails by a fault of the service when the cover is broken, and does not hang', async (world) => {
      const job = world.job(COVERED).breaks('coverTasks');
      const { handle } = await world.start(job);
      const error = await handle.result().catch((failure: unknown) => failure);
      expect(String(error)).to.include('Workflow execution failed');
      expect(job.settlements).to.have.length(1);
      expect(job.of('runShard')).to.have.length(0);
    });
  },
});
