import { expect } from 'chai';
import { doneReport, hangs } from './fake-job.ts';
import type { FakeJob } from './fake-job.ts';
import { until } from '../support/until.ts';
import { together } from './together.ts';
import { attributesOf } from './world.ts';

interface Shard {
  readonly ordinals: number[];
  readonly generation: number;
}

together('job part workflow', {
  'a part of a job': (test) => {
    test('keeps an instance busy without flooding it, and commits in batches', async (world) => {
      const { job, result } = await world.run(
        { plan: { taskCount: 240, slotsPerInstance: 8 }, timing: { commitDelayMs: 3000 } },
        (one) => one.on('runShard', () => new Promise((resolve) => setTimeout(resolve, 10))),
      );
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 240 });
      expect(job.runningMost).to.be.within(2, 8);
      const batches = job.of('commitTasks').map(({ reports }) => (reports as unknown[]).length);
      expect(Math.max(...batches)).to.be.at.most(100);
      expect(batches.length).to.be.at.most(4);
      expect(batches.reduce((sum, one) => sum + one, 0)).to.equal(240);
    });

    test('commits what has waited for the commit delay, full batch or not', async (world) => {
      const job = world.job();
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => (release = resolve));
      job.on('runShard', async (input) => {
        if ((input as Shard).ordinals[0] === 3) await gate;
      });
      const { handle } = await world.start(job);
      while (job.count('SUCCEEDED') < 3) await new Promise((resolve) => setTimeout(resolve, 20));
      release();
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
    });

    test('asks when contact is lost, and sends the shard to the same instance first', async (world) => {
      const { job, result } = await world.run({}, (one) => {
        one.on('runShard', (input, call) => {
          if (call === 1) return hangs();
          return { fenced: false, reports: (input as Shard).ordinals.map(doneReport) };
        });
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
      expect(job.of('inquireInstance')).to.deep.equal([
        { jobId: job.id, slot: 0, generation: 1, lookMs: 3000 },
      ]);
      expect(job.of('replaceInstance')).to.have.length(0);
      const lost = (job.of('runShard')[0] as Shard).ordinals[0] ?? -1;
      expect(ordinalsRun(job)).to.deep.equal([0, 1, 2, 3, lost].sort());
    });

    test('has a lost instance replaced once for both lanes, and runs only what was not verified', async (world) => {
      const startedAt = performance.now();
      const { job, handle, result } = await world.run(
        { plan: { taskCount: 300, shardSize: 25 }, timing: { computeHeartbeatSeconds: 1, commitDelayMs: 0 } },
        (one) => {
          one.on('runShard', (input) => {
            const { generation } = input as Shard;
            return generation === 1 && one.done.size >= 50 ? hangs() : undefined;
          });
          one.on('inquireInstance', () => ({ state: 'lost', cause: 'INSTANCE_GONE' }));
        },
      );
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 300 });
      expect(job.of('replaceInstance')).to.deep.equal([
        { jobId: job.id, slot: 0, generation: 1, execution: 1, cause: 'INSTANCE_GONE' },
      ]);
      expect(job.of('launchInstance').map(({ generation }) => generation as number)).to.deep.equal([1, 2]);
      expect(job.of('inquireInstance').length).to.be.at.most(2);
      expect(job.states).to.include('RECOVERING');
      const committed = job.of('commitTasks').flatMap(({ reports }) => reports as { ordinal: number }[]);
      expect(new Set(committed.map(({ ordinal }) => ordinal)).size).to.equal(committed.length);
      expect(attributesOf(await handle.describe())).to.deep.include({ RecoveryCount: 1 });
      expect(await handle.query('details')).to.include(
        'recoveries: 1, last failure: instance lost: INSTANCE_GONE',
      );
      // Shards that the dead instance never picked up do not wait for the pick-up time-out of a minute.
      expect(performance.now() - startedAt).to.be.lessThan(30_000);
    });

    test('fences before it ends a lost instance, and replaces one that never came up', async (world) => {
      const { job, result } = await world.run({}, (one) => {
        one.on('awaitInstance', (_request, call) =>
          call === 1 ? { state: 'lost', cause: 'INSTANCE_SILENT' } : undefined,
        );
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED' });
      expect(job.of('replaceInstance')[0]).to.deep.include({ generation: 1, cause: 'INSTANCE_SILENT' });
      const at = (name: string): number => job.calls.findIndex((call) => call.name === name);
      expect(at('replaceInstance')).to.be.lessThan(at('terminateInstances'));
      expect(job.of('runShard').every(({ generation }) => generation === 2)).to.equal(true);
    });

    test('waits by a timer for an instance that boots for long, and looks shortly in between', async (world) => {
      const { job, result } = await world.run({}, (one) => {
        one.on('awaitInstance', (_request, call) => (call <= 2 ? null : undefined));
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED' });
      expect(job.of('awaitInstance').map(({ lookMs }) => lookMs as number)).to.deep.equal([3000, 0, 0]);
    });

    test('looks at once at an instance that has called the gateway, and at no other for it', async (world) => {
      const called = async (waitsFor: number, says: number): Promise<number[]> => {
        const job = world.job();
        job.on('awaitInstance', async (_request, call) => {
          if (call > waitsFor) return undefined;
          if (call === 1) await world.workflows.instanceHeard({ jobId: job.id, slot: 0, generation: says });
          return null;
        });
        const { handle } = await world.start(job);
        expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED' });
        return job.of('awaitInstance').map(({ lookMs }) => lookMs as number);
      };
      expect(await called(1, 1)).to.deep.equal([3000, 3000]);
      expect(await called(1, 7), 'a call of another generation').to.deep.equal([3000, 0]);
    });

    test('believes a fenced instance nothing, whether the worker or the commit says so', async (world) => {
      const byWorker = world.run({}, (job) => {
        job.on('runShard', (input) =>
          (input as Shard).generation === 1 ? { fenced: true, reports: [] } : undefined,
        );
      });
      const byCommit = world.run({}, (job) => {
        job.on('commitTasks', (request) => {
          if ((request as Shard).generation === 1) job.fenced.add('0.1');
        });
      });
      for (const { job, result } of await Promise.all([byWorker, byCommit])) {
        expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 4, chargedPence: 6 });
        expect(job.of('replaceInstance')).to.have.length(1);
        expect(job.of('replaceInstance')[0]).to.deep.include({ cause: 'FENCED' });
      }
    });

    test('gives an instance up that answers but never finishes anything', async (world) => {
      const { job, result } = await world.run({ plan: { taskCount: 1 } }, (one) => {
        one.on('runShard', (input) => {
          if ((input as Shard).generation === 1) throw new Error('the worker is confused');
        });
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 1 });
      expect(job.of('replaceInstance')[0]).to.deep.include({ cause: 'WORKER_ERROR' });
      expect(job.of('runShard')).to.have.length(11);
    });

    test('waits before the next instance as long as the loss says', async (world) => {
      const at = new Map<string, number>();
      const { job, result } = await world.run({ plan: { taskCount: 1 } }, (one) => {
        one.on('runShard', (input) => {
          if ((input as Shard).generation === 1) throw new Error('the worker is confused');
        });
        one.on('replaceInstance', () => {
          at.set('lost', performance.now());
          return { requeued: 1, failed: 0, deadEnds: 0, pauseSeconds: 0.5 };
        });
        one.on('launchInstance', () => void at.set('launched', performance.now()));
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 1 });
      expect(job.of('launchInstance')).to.have.length(2);
      expect((at.get('launched') ?? 0) - (at.get('lost') ?? 0)).to.be.at.least(490);
    });

    test('asks again for a spot instance, and for one on demand once spot is given up; no loss is counted', async (world) => {
      const { job, result } = await world.run({ plan: { taskCount: 1 } }, (one) => {
        one.on('launchInstance', (_request, call) => {
          if (call <= 2) return { state: 'no-spot', againSeconds: 0.05 };
          return call === 3 ? { state: 'spot-given-up' } : undefined;
        });
        one.on('runShard', (input) => {
          if ((input as Shard).generation === 2) throw new Error('the worker is confused');
        });
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 1 });
      const launches = job.of('launchInstance');
      // The instance after a loss is a spot instance again.
      expect(launches.map(({ generation, market }) => [generation, market])).to.deep.equal([
        ...[
          [1, undefined],
          [1, undefined],
          [1, undefined],
        ],
        ...[
          [2, 'ON_DEMAND'],
          [3, undefined],
        ],
      ]);
      expect(job.of('replaceInstance').map(({ generation }) => generation as number)).to.deep.equal([2]);
      expect(job.of('terminateInstances')[0]).to.deep.include({ slot: 0, generation: 1 });
      expect(job.of('awaitInstance').map(({ generation }) => generation as number)).to.deep.equal([2, 3]);
    });

    test('pauses a job whose slot came to nothing three times in a row, and says why', async (world) => {
      const job = world.job({ plan: { taskCount: 1 } });
      job.on('runShard', () => {
        throw new Error('the tool cannot be started');
      });
      job.on('replaceInstance', (request) => {
        const { generation } = request as Shard;
        return { requeued: 1, failed: 0, deadEnds: generation, pauseSeconds: 0 };
      });
      const sweep = job.holds('sweepStaging');
      const { handle } = await world.start(job);
      await until('the job rests', () => job.of('sweepStaging').length > 0, 60_000);
      expect(job.of('launchInstance').map(({ generation }) => generation as number)).to.deep.equal([1, 2, 3]);
      expect(job.of('settleJob')).to.have.length(1);
      expect(job.of('settleJob')[0]).to.deep.include({
        ...{ to: 'PAUSED', pauseReason: 'OPERATOR', reason: 'WORKER_ERROR' },
      });
      await world.workflows.cancel(job.id, null);
      sweep.release();
      expect(await handle.result()).to.deep.include({ state: 'CANCELLED' });
    });

    test('rests too where a control alone comes to nothing, but not when all is decided', async (world) => {
      const stuck = (plan: object, isOpen: boolean): FakeJob => {
        const job = world.job({ plan: { taskCount: 1, ...plan } });
        job.on('outstanding', () =>
          job.done.size === 0
            ? undefined
            : {
                parts: [],
                controlOpen: isOpen,
                mergeOpen: false,
                cancelRequested: false,
                cancelReason: null,
              },
        );
        job.on('runShard', (input) => {
          const { kind } = input as { kind: string };
          if (kind === 'control' && job.of('replaceInstance').length < 3)
            return { fenced: true, reports: [] };
          return undefined;
        });
        job.on('replaceInstance', (request) => ({
          deadEnds: (request as Shard).generation,
          pauseSeconds: 0,
        }));
        return job;
      };
      const open = stuck({ steps: ['control'] }, true);
      const decided = stuck({ steps: ['control'] }, false);
      const [{ handle }, ended] = await Promise.all([world.start(open), world.start(decided)]);
      await until('the first rests', () => open.of('sweepStaging').length > 0, 60_000);
      expect(open.settlements.map(({ to }) => to)).to.deep.equal(['PAUSED']);
      expect(await ended.handle.result()).to.deep.include({ state: 'SUCCEEDED' });
      await world.workflows.cancel(open.id, null);
      await handle.result();
    });

    test('runs tasks again whose committed copy did not agree with the report', async (world) => {
      const { job, result } = await world.run({}, (one) => {
        let redone = false;
        one.on('commitTasks', (request) => {
          const { reports } = request as { reports: { ordinal: number }[] };
          if (redone || !reports.some(({ ordinal }) => ordinal === 2)) return undefined;
          redone = true;
          for (const { ordinal } of reports) if (ordinal !== 2) one.done.set(ordinal, 'SUCCEEDED');
          return { fenced: false, verified: reports.length - 1, failed: 0, redo: [2] };
        });
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 4, chargedPence: 6 });
      expect(ordinalsRun(job)).to.deep.equal([0, 1, 2, 2, 3]);
    });

    test('sends what an instance reports as stopped once more', async (world) => {
      let stopped: number | undefined;
      const { job, result } = await world.run({}, (one) => {
        one.on('runShard', (input, call) => {
          const [ordinal] = (input as Shard).ordinals;
          stopped ??= ordinal;
          return call === 1 ? { fenced: false, reports: [{ ordinal, end: 'stopped' }] } : undefined;
        });
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
      expect(ordinalsRun(job)).to.deep.equal([0, 1, 2, 3, stopped].sort());
    });

    test('spreads over the instances of the job', async (world) => {
      const { job, result } = await world.run({ plan: { taskCount: 1000, shardSize: 50, instances: 2 } });
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 1000 });
      expect(new Set(job.of('runShard').map(({ slot }) => slot as number))).to.deep.equal(new Set([0, 1]));
      expect((await world.parts(job)).length).to.be.at.least(4);
    });
  },
});

function ordinalsRun(job: FakeJob): number[] {
  return job
    .of('runShard')
    .flatMap(({ ordinals }) => ordinals as number[])
    .sort((a, b) => a - b);
}
