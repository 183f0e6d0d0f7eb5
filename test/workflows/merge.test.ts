/** When the merge of a job runs, and what becomes of the job with it. */
import { expect } from 'chai';

import { until } from '../support/until.ts';
import { untilCancelled } from './fake-job.ts';
import { together } from './together.ts';

together('the merge of a job', {
  'the merge of a job': (test) => {
    test('merges once every task is decided, and counts the merge for nothing', async (world) => {
      const { job, result } = await world.run({ plan: { taskCount: 3, steps: ['control', 'merge'] } });
      const kinds = job.of('runShard').map(({ kind }) => kind);
      expect(kinds).to.have.length(5);
      expect(kinds.at(-1)).to.equal('merge');
      const decided = job.calls.findLastIndex(
        ({ name, request }) => name === 'commitTasks' && request.kind === 'task',
      );
      const started = job.calls.findIndex(
        ({ name, request }) => name === 'runShard' && request.kind === 'merge',
      );
      expect(started).to.be.greaterThan(decided);
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 3, chargedPence: 5 });
      expect(job.states).to.deep.equal(['QUEUED', 'PROVISIONING', 'RUNNING', 'FINALIZING']);
    });

    test('merges what is verified of a job whose other tasks failed, and nothing where all failed', async (world) => {
      const failing = (ordinals: number[]) => (input: unknown) => {
        const shard = input as { kind: string; ordinals: number[] };
        const isFailed = shard.kind === 'task' && ordinals.includes(shard.ordinals[0] ?? -1);
        const [ordinal] = shard.ordinals;
        return isFailed
          ? {
              fenced: false,
              reports: [{ ordinal, end: 'failed', code: 'TOOL_FAILED', message: '', seconds: 0 }],
            }
          : undefined;
      };
      const options = { plan: { taskCount: 2, steps: ['merge'] } } as const;
      const [some, all] = await Promise.all([
        world.run(options, (job) => job.on('runShard', failing([0]))),
        world.run(options, (job) => job.on('runShard', failing([0, 1]))),
      ]);
      expect(some.job.of('runShard').map(({ kind }) => kind)).to.include('merge');
      expect(some.result).to.deep.include({ state: 'PARTIALLY_SUCCEEDED', verified: 1, chargedPence: 3 });
      expect(all.job.of('runShard').map(({ kind }) => kind)).to.not.include('merge');
      expect(all.result).to.deep.include({ state: 'FAILED', verified: 0, chargedPence: 0 });
    });

    test('ends at PARTIALLY_SUCCEEDED, with every task charged, when the merge failed for good', async (world) => {
      const { result } = await world.run({ plan: { steps: ['merge'] } }, (job) =>
        job.on('runShard', (input) =>
          (input as { kind: string }).kind === 'merge'
            ? {
                fenced: false,
                reports: [{ ordinal: 0, end: 'failed', code: 'TOOL_FAILED', message: '', seconds: 0 }],
              }
            : undefined,
        ),
      );
      expect(result).to.deep.include({
        state: 'PARTIALLY_SUCCEEDED',
        verified: 4,
        failed: 0,
        chargedPence: 6,
      });
    });

    test('merges again after a task was set back, and after the merge itself was', async (world) => {
      const { job, result } = await world.run({ plan: { steps: ['merge'] } }, (one) => {
        one.on('checkCompleteness', (_request, call) => {
          if (call > 2) return undefined;
          if (call === 1) one.done.delete(2);
          one.isMergeDecided = one.hasMerged = false;
          return {
            setBack: 1,
            standing: { verified: 4 - (call === 1 ? 1 : 0), failed: 0, steps: ['merge'] },
          };
        });
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 4, chargedPence: 6 });
      const kinds = job.of('runShard').map(({ kind }) => kind);
      expect(kinds.slice(4)).to.deep.equal(['merge', 'task', 'merge', 'merge']);
    });

    test('merges on a new instance when that of the merge is lost, and after continuing as new', async (world) => {
      const lost = world.run({ plan: { steps: ['merge'] } }, (one) => {
        one.on('runShard', (input) =>
          (input as { kind: string; generation: number }).kind === 'merge' &&
          (input as { generation: number }).generation === 1
            ? { fenced: true, reports: [] }
            : undefined,
        );
      });
      const continued = world.run({ plan: { taskCount: 6, steps: ['merge'] }, maxHistoryEvents: 40 });
      for (const { job, result } of await Promise.all([lost, continued])) {
        expect(result).to.deep.include({ state: 'SUCCEEDED' });
        expect(job.of('runShard').at(-1)).to.include({ kind: 'merge' });
        expect(job.hasMerged).to.equal(true);
      }
      const { job } = await lost;
      expect(job.of('runShard').at(-1)).to.include({ generation: 2 });
    });

    test('a pause during the merge lets the merge end, and the job with it', async (world) => {
      const job = world.job({ plan: { steps: ['merge'] } });
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      job.on('runShard', async (input) => {
        if ((input as { kind: string }).kind === 'merge') await gate;
        return undefined;
      });
      const { handle } = await world.start(job);
      await until('the merge runs', () => job.of('runShard').some(({ kind }) => kind === 'merge'));
      await world.workflows.pause(job.id, 'OPERATOR');
      release();
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 4, chargedPence: 6 });
      expect(job.of('runShard').filter(({ kind }) => kind === 'merge')).to.have.length(1);
      expect(job.settlements.map(({ to }) => to)).to.deep.equal(['SUCCEEDED']);
    });

    test('pauses the job whose merge came to nothing three times in a row, with every task charged', async (world) => {
      const job = world.job({ plan: { steps: ['merge'] } });
      job.on('runShard', (input) =>
        (input as { kind: string }).kind === 'merge' ? { fenced: true, reports: [] } : undefined,
      );
      job.on('replaceInstance', (_request, call) => ({
        requeued: 1,
        failed: 0,
        deadEnds: call,
        pauseSeconds: 0,
      }));
      const { handle } = await world.start(job);
      await until('it is settled', () => job.settlements.length > 0);
      expect(job.settlements).to.deep.equal([{ to: 'PAUSED', charged: 6 }]);
      expect(job.of('runShard').filter(({ kind }) => kind === 'merge')).to.have.length(3);
      await world.workflows.cancel(job.id, null);
      expect(await handle.result()).to.deep.include({ state: 'CANCELLED', verified: 4 });
    });

    test('cancels during the merge: the verified tasks stay charged', async (world) => {
      const job = world.job({ plan: { steps: ['merge'] } });
      job.on('runShard', async (input) => {
        if ((input as { kind: string }).kind !== 'merge') return undefined;
        await untilCancelled();
        return { fenced: false, reports: [{ ordinal: 0, end: 'stopped' }] };
      });
      const { handle } = await world.start(job);
      await until('the merge runs', () => job.of('runShard').some(({ kind }) => kind === 'merge'));
      await world.workflows.cancel(job.id, null);
      expect(await handle.result()).to.deep.include({ state: 'CANCELLED', verified: 4, chargedPence: 6 });
      expect(job.hasMerged).to.equal(false);
    });
  },
});
