import { expect } from 'chai';

import { until } from '../support/until.ts';
import { together } from './together.ts';
import { attributesOf } from './world.ts';

together('job workflow', {
  'job workflow': (test) => {
    test('runs from admission to settlement in the order that keeps money and outputs safe', async (world) => {
      const { job, outcome, result } = await world.run({ plan: { taskCount: 5, shardSize: 2 } });
      expect(outcome.kind).to.equal('decided');
      expect(result).to.deep.include({
        decision: 'admitted',
        state: 'SUCCEEDED',
        verified: 5,
        chargedPence: 7,
      });
      expect(job.states).to.deep.equal(['QUEUED', 'PROVISIONING', 'RUNNING', 'FINALIZING']);
      expect(job.order).to.deep.equal([
        ...['admitJob', 'planTasks', 'recordState', 'requestCapacity', 'outstanding', 'launchInstance'],
        ...['awaitInstance', 'listPendingTasks', 'runShard', 'commitTasks', 'checkCompleteness', 'fenceJob'],
        ...[
          'writeManifest',
          'taskCounts',
          'settleJob',
          'terminateInstances',
          'releaseCapacity',
          'sweepStaging',
        ],
      ]);
      expect(job.of('runShard').map(({ ordinals }) => ordinals)).to.have.deep.members([[0, 1], [2, 3], [4]]);
      expect(job.workers.size).to.equal(0);
    });

    test('runs preparation before and control beside the tasks, neither of them counted', async (world) => {
      const { job, result } = await world.run({ plan: { taskCount: 2, steps: ['prepare', 'control'] } });
      const [first, ...others] = job.of('runShard').map(({ kind }) => kind);
      expect(first).to.equal('prepare');
      expect(others).to.have.members(['task', 'task', 'control']);
      expect(job.calls.findIndex(({ name }) => name === 'preparationFailure')).to.be.greaterThan(0);
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 2 });
    });

    test('runs a required control before the tasks, and none of them where it misses', async (world) => {
      const plan = { taskCount: 2, steps: ['prepare', 'control'] as const, requiresControl: true as const };
      const [met, missed] = await Promise.all([
        world.run({ plan }),
        world.run({ plan }, (one) => {
          one.on('controlMiss', () => ({ code: 'CONTROL_MISSED', message: '4.20 Å' }));
        }),
      ]);
      const kinds = met.job.of('runShard').map(({ kind }) => kind);
      expect(kinds).to.deep.equal(['prepare', 'control', 'task', 'task']);
      expect(met.result).to.deep.include({ state: 'SUCCEEDED', verified: 2 });
      expect(missed.job.of('runShard').map(({ kind }) => kind)).to.deep.equal(['prepare', 'control']);
      expect(missed.job.of('failTasks')[0]).to.deep.include({ code: 'CONTROL_MISSED', message: '4.20 Å' });
      expect(missed.job.of('settleJob')[0]).to.deep.include({ to: 'FAILED', reason: 'CONTROL_MISSED' });
    });

    test('ends at FAILED and charges nothing when the preparation fails for good', async (world) => {
      const { job, result } = await world.run({ plan: { steps: ['prepare'] } }, (one) => {
        one.on('preparationFailure', () => ({
          code: 'RECEPTOR_EMPTY',
          message: 'no atoms in a private name',
        }));
      });
      expect(result).to.deep.include({ state: 'FAILED', verified: 0, failed: 4, chargedPence: 0 });
      expect(job.of('runShard')).to.have.length(1);
      expect(job.of('failTasks')[0]).to.deep.include({ code: 'RECEPTOR_EMPTY' });
      expect(job.of('settleJob')[0]).to.deep.include({ to: 'FAILED', reason: 'RECEPTOR_EMPTY' });
    });

    test('tells partial success and failure apart by what is verified', async (world) => {
      const failing =
        (ordinals: number[]): ((input: unknown) => unknown) =>
        (input) => {
          const shard = input as { ordinals: number[] };
          return {
            fenced: false,
            reports: shard.ordinals.map((ordinal) =>
              ordinals.includes(ordinal)
                ? { ordinal, end: 'failed', code: 'TOOL_FAILED', message: 'no', seconds: 0 }
                : { ordinal, end: 'done', outputs: [], seconds: 0, summary: null },
            ),
          };
        };
      const [some, all] = await Promise.all([
        world.run({}, (job) => job.on('runShard', failing([1]))),
        world.run({}, (job) => job.on('runShard', failing([0, 1, 2, 3]))),
      ]);
      expect(some.result).to.deep.include({
        state: 'PARTIALLY_SUCCEEDED',
        verified: 3,
        failed: 1,
        chargedPence: 5,
      });
      expect(all.result).to.deep.include({ state: 'FAILED', verified: 0, failed: 4, chargedPence: 0 });
    });

    test('works on after every activity failed once in a way that repetition mends', async (world) => {
      const groups = [
        ['admitJob', 'planTasks', 'recordState', 'requestCapacity', 'outstanding'],
        ['launchInstance', 'awaitInstance', 'listPendingTasks', 'commitTasks', 'checkCompleteness'],
        ['fenceJob', 'writeManifest', 'taskCounts', 'settleJob'],
        ['terminateInstances', 'releaseCapacity', 'sweepStaging'],
      ];
      const runs = groups.map(async (names) => {
        const { job, result } = await world.run({}, (one) => {
          for (const name of names) {
            one.on(name, (_request, call) => {
              if (call === 1) throw new Error('the database went away');
            });
          }
        });
        expect(result, names.join()).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
        for (const name of names) expect(job.of(name).length, name).to.be.greaterThan(1);
        expect(new Set(job.settlements.map(({ to }) => to))).to.deep.equal(new Set(['SUCCEEDED']));
      });
      await Promise.all(runs);
    });

    test('sets tasks back whose outputs are missing in the store, and runs only those again', async (world) => {
      const { job, result } = await world.run({}, (one) => {
        one.on('checkCompleteness', (_request, call) => {
          if (call > 1) return undefined;
          one.done.delete(2);
          return { setBack: 1, standing: { verified: 3, failed: 0, steps: [] } };
        });
      });
      expect(result).to.deep.include({ state: 'SUCCEEDED' });
      expect(job.states).to.deep.equal([
        ...['QUEUED', 'PROVISIONING', 'RUNNING', 'FINALIZING'],
        ...['RECOVERING', 'RUNNING', 'FINALIZING'],
      ]);
      expect(job.of('runShard')).to.have.length(5);
      expect(job.of('launchInstance')).to.have.length(1);
    });

    test('counts tasks that were set back once, not once more when they are verified again', async (world) => {
      const job = world.job();
      const again = Promise.withResolvers<null>();
      job.on('checkCompleteness', async (_request, call) => {
        if (call > 1) {
          await again.promise;
          return undefined;
        }
        job.done.delete(2);
        return { setBack: 1, standing: { verified: 3, failed: 0, steps: [] } };
      });
      const { handle } = await world.start(job);
      await until('it is looked at again', () => job.of('checkCompleteness').length === 2);
      const details = await handle.query<string>('details');
      again.resolve(null);
      expect(details).to.include('tasks: 4 of 4 verified, 0 failed');
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 4, chargedPence: 6 });
    });

    for (const kind of ['prepare', 'control'] as const) {
      test(`runs the ${kind} step again, and nothing else, when its output is missing in the store`, async (world) => {
        const { job, result } = await world.run({ plan: { steps: ['prepare', 'control'] } }, (one) => {
          let isMissing = false;
          one.on('checkCompleteness', (_request, call) => {
            if (call > 1) return undefined;
            isMissing = true;
            return { setBack: 1, standing: { verified: 4, failed: 0, steps: [kind] } };
          });
          one.on('listPendingTasks', (request) =>
            isMissing && (request as { kind: string }).kind === kind ? [0] : undefined,
          );
        });
        expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 4, chargedPence: 6 });
        const kinds = job.of('runShard').map((one) => one.kind);
        expect(kinds.filter((one) => one === kind)).to.have.length(2);
        expect(kinds).to.have.length(4 + 3);
        expect(job.states.slice(-3)).to.deep.equal(['FINALIZING', 'RECOVERING', 'FINALIZING']);
      });

      test(`runs the ${kind} step again when its outputs did not verify and that answer was lost`, async (world) => {
        const { job, result } = await world.run({ plan: { steps: ['prepare', 'control'] } }, (one) => {
          let commits = 0;
          one.on('commitTasks', (request) => {
            if ((request as { kind: string }).kind !== kind) return undefined;
            commits += 1;
            if (commits === 1) throw new Error('the answer was lost');
            return commits === 2 ? { fenced: false, verified: 0, failed: 0, redo: [0] } : undefined;
          });
        });
        expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
        const kinds = job.of('runShard').map((one) => one.kind);
        expect(kinds.filter((one) => one === kind)).to.have.length(2);
      });
    }

    test('waits for capacity and looks when it is told that some was given back', async (world) => {
      const job = world.job();
      job.on('requestCapacity', (_request, call) =>
        call < 3 ? { granted: false, reason: 'CAPACITY', vcpus: 0 } : undefined,
      );
      const { handle } = await world.start(job);
      while (job.of('requestCapacity').length < 2) await world.workflows.capacity([job.id]);
      await world.workflows.capacity([job.id]);
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED' });
      expect(job.of('recordState')[0]).to.deep.include({ to: 'QUEUED', reason: null });
      expect(job.of('recordState')[1]).to.deep.include({ to: 'QUEUED', reason: 'CAPACITY' });
    });

    test('that waits writes fewer than 20 events for a look of its own, of which there is one an hour', async (world) => {
      const job = world.job();
      job.on('requestCapacity', () => ({ granted: false, reason: 'CAPACITY', vcpus: 0 }));
      const { handle } = await world.start(job, { timing: { capacityPollSeconds: 0.3 } });
      const lengthAtLook = async (look: number): Promise<number> => {
        await until(`look ${String(look)}`, () => job.of('requestCapacity').length >= look, 30_000);
        return (await handle.describe()).historyLength;
      };
      const first = await lengthAtLook(3);
      const looked = job.of('requestCapacity').length;
      const last = await lengthAtLook(looked + 5);
      const looks = job.of('requestCapacity').length - looked;
      expect((last - first) / looks, 'events a look').to.be.within(1, 20);
      await world.workflows.cancel(job.id, null);
      await handle.result();
    });
  },
  'admission in the job workflow': (test) => {
    test('leaves nothing of a refused submit, not even its stored request', async (world) => {
      const decision = { kind: 'refused', code: 'INSUFFICIENT_CREDITS', message: 'too little' };
      const { job, outcome, result } = await world.run(
        { admission: { requestKey: 'requests/x.json' } },
        (one) => one.on('admitJob', () => decision),
      );
      expect(outcome).to.deep.equal({ kind: 'decided', decision });
      expect(result).to.deep.include({ decision: 'refused', state: null, chargedPence: 0 });
      expect(job.order).to.deep.equal(['admitJob', 'removeRefusedRequest']);
    });

    test('decides a submit although the stored request of the refused one cannot be removed now', async (world) => {
      const { result } = await world.run({ admission: { requestKey: 'requests/x.json' } }, (one) =>
        one.on('admitJob', () => ({ kind: 'expired' })).breaks('removeRefusedRequest'),
      );
      expect(result).to.deep.include({ decision: 'expired', state: null });
    });

    test('ends without work when another run admitted the job, and answers with its decision', async (world) => {
      const job = world.job();
      const decision = { kind: 'admitted', fingerprint: 'x', response: job.admission.response, replay: true };
      job.on('admitJob', () => decision);
      const { outcome, handle } = await world.start(job);
      expect(outcome).to.deep.equal({ kind: 'decided', decision });
      expect(await handle.result()).to.deep.include({ decision: 'admitted', state: null });
      expect(job.order).to.deep.equal(['admitJob']);
    });

    test('gives a second submit of a running job the same decision', async (world) => {
      const job = world.job();
      const held = job.holds('planTasks');
      const first = await world.start(job);
      await held.called();
      const second = await world.start(job);
      expect(second.outcome).to.deep.equal(first.outcome);
      held.release();
      await first.handle.result();
      expect(job.of('admitJob')).to.have.length(1);
    });
  },
  'what operators see of a job': (test) => {
    test('is searchable, summarised, and told in Markdown, while it runs and when it has ended', async (world) => {
      const job = world.job({ plan: { taskCount: 3 } });
      const held = job.holds('checkCompleteness');
      const { handle } = await world.start(job);
      await held.called();
      const details = await handle.query<string>('details');
      expect(details).to.match(
        /^\*\*FINALIZING\*\*, execution 1\n\ntasks: 3 of 3 verified, 0 failed\n\nmoney: held £0\.05/,
      );
      const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
      expect(metadata.currentDetails.trim()).to.equal(details);
      held.release();
      await handle.result();
      const description = await handle.describe();
      expect(await description.staticSummary()).to.equal('3 × noop');
      expect(await description.staticDetails())
        .to.include(job.id)
        .and.include('hold: 5 pence');
      expect(attributesOf(description)).to.deep.include({
        AccountId: job.admission.accountId,
        JobType: 'simulation',
        Simulator: 'noop',
        JobStatus: 'SUCCEEDED',
        Provider: 'local',
        RecoveryCount: 0,
      });
      expect(await handle.query('details')).to.include('charged £0.05');
      expect(JSON.stringify([description.memo, attributesOf(description)])).not.to.include('a name');
    });

    test('has a summary for each step that is not its own explanation', async (world) => {
      const { handle, job } = await world.run({ plan: { taskCount: 3, shardSize: 2 } });
      const summaries = await summariesOf(handle);
      expect(summaries).to.include.members([
        ...['QUEUED', 'PROVISIONING', 'RUNNING', 'FINALIZING', 'SUCCEEDED', 'FINISHED'],
        ...['2 vCPUs', 'instance 0.1 at local', 'first contact of instance 0.1'],
      ]);
      const [part] = await world.parts(job);
      const ofPart = await summariesOf(world.client.workflow.getHandle(part ?? ''));
      expect(ofPart).to.include.members(['task 0-1 on instance 0.1', 'task 2 on instance 0.1']);
    });

    test('never shows the text that a customer gave as the reason of a cancel', async (world) => {
      const job = world.job();
      const held = job.holds('planTasks');
      const { handle } = await world.start(job);
      await held.called();
      await world.workflows.cancel(job.id, '[click](http://example.com)');
      held.release();
      await handle.result();
      expect(await handle.query('details')).to.match(/^\*\*CANCELLED\*\*, execution 1/);
      expect(await summariesOf(handle)).to.include('CANCELLING');
      expect((await summariesOf(handle)).join()).not.to.include('click');
      expect(job.of('recordState').at(-1)).to.deep.include({
        to: 'CANCELLING',
        reason: '[click](http://example.com)',
      });
    });
  },
  'workflows of the deployment': (test) => {
    test('sweep in one activity, and fail where operators see it when the ledger does not add up', async (world) => {
      let sweeps = 0;
      world.deployment.set('sweepDeployment', () => void (sweeps += 1));
      await world.client.workflow.execute('sweepDeployment', {
        taskQueue: 'control',
        workflowId: 'sweep-test',
        args: [],
      });
      expect(sweeps).to.equal(1);
      world.deployment.set('auditLedger', () => {
        throw Object.assign(new Error('ledger: [account x]'), { name: 'Invariant' });
      });
      const audit = world.client.workflow.execute('auditLedger', {
        taskQueue: 'control',
        workflowId: 'audit-test',
        args: [],
      });
      const error = await audit.then(
        () => null,
        (failure: unknown) => failure,
      );
      expect(String((error as { cause?: { cause?: unknown } }).cause?.cause)).to.include(
        'ledger: [account x]',
      );
    });
  },
});

async function summariesOf(handle: { fetchHistory(): Promise<{ events?: unknown }> }): Promise<string[]> {
  const { events } = (await handle.fetchHistory()) as {
    events: { userMetadata?: { summary?: { data?: Uint8Array } } }[];
  };
  return events.flatMap(({ userMetadata }) => {
    const data = userMetadata?.summary?.data;
    return data == null ? [] : [JSON.parse(Buffer.from(data).toString()) as string];
  });
}
