import { expect } from 'chai';

import { jobWorkflowId } from '../../src/contracts/names.ts';
import { until } from '../support/until.ts';
import type { FakeJob } from './fake-job.ts';
import { together } from './together.ts';

const FLEET = { vcpusPerInstance: 2 } as const;
const SHORTLY = { noRoomSeconds: 0.2 } as const;

/** Launches of these slots find no room as long as the hook says so. */
function lacksRoom(job: FakeJob, isFull: (slot: number, call: number) => boolean): void {
  job.on('launchInstance', (request, call) =>
    isFull((request as { readonly slot: number }).slot, call) ? { state: 'exhausted' } : undefined,
  );
}

together('a job whose provider has no room', {
  'for any instance': (test) => {
    test('gives its capacity back, queues with the reason, and goes on by itself', async (world) => {
      const { job, handle, result } = await world.run({ timing: SHORTLY }, (made) =>
        lacksRoom(made, (_slot, call) => call <= 3),
      );
      expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
      expect(job.of('returnCapacity')).to.have.length(3);
      expect(job.of('requestCapacity')).to.have.length(4);
      expect(job.of('launchInstance').map(({ generation }) => generation)).to.deep.equal([1, 2, 3, 4]);
      const queued = job.of('recordState').filter(({ to }) => to === 'QUEUED');
      expect(queued.map(({ reason }) => reason)).to.deep.equal([
        null,
        ...Array<string>(3).fill('NO_CAPACITY'),
      ]);
      expect(job.order.slice(-2), 'the end gives back what is left').to.include('releaseCapacity');
      // The pauses grow: 0.2, 0.4 and 0.8 seconds.
      const events = (await handle.fetchHistory()).events ?? [];
      const pauses = events.flatMap(({ timerStartedEventAttributes: timer }) =>
        timer?.startToFireTimeout == null ? [] : [Number(timer.startToFireTimeout.nanos) / 1e6],
      );
      expect(pauses).to.include.members([200, 400, 800]);
    });

    test('is cancelled while it waits, and has nothing left', async (world) => {
      const job = world.job();
      lacksRoom(job, () => true);
      const { handle } = await world.start(job);
      await until('it queues again', () => job.of('returnCapacity').length === 1);
      await handle.signal('cancel', { reason: 'enough' });
      expect(await handle.result()).to.deep.include({ state: 'CANCELLED', verified: 0 });
      expect(job.of('releaseCapacity')).to.have.length(1);
      expect(job.workers.size).to.equal(0);
    });

    test('counts its pauses over runs of its workflow', async (world) => {
      const job = world.job();
      lacksRoom(job, (_slot, call) => call <= 5);
      const options = { timing: { noRoomSeconds: 0.05 }, maxHistoryEvents: 60 };
      const { handle } = await world.start(job, options);
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
      const last = await world.client.workflow.getHandle(jobWorkflowId(job.id)).describe();
      expect(last.runId).to.not.equal(handle.workflowId);
      expect(job.of('returnCapacity')).to.have.length(5);
    });
  },
  'for one of several instances': (test) => {
    test('does the work on the others, and gives the capacity of that one back', async (world) => {
      const job = world.job({ plan: { ...FLEET, taskCount: 60, instances: 3, slotsPerInstance: 2 } });
      job.on('requestCapacity', (request) => ({
        ...{ granted: true, reason: null },
        vcpus: (request as { readonly vcpus: number }).vcpus,
      }));
      lacksRoom(job, (slot) => slot === 1);
      const { handle } = await world.start(job);
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 60 });
      expect(job.of('returnCapacity')).to.have.length(0);
      const worked = new Set(job.of('runShard').map(({ slot }) => slot));
      expect(worked.has(1)).to.equal(false);
      expect(job.of('launchInstance').filter(({ slot }) => slot === 1)).to.have.length(1);
      expect(job.of('reduceCapacity').length).to.be.at.least(1);
      expect(job.states).to.not.include('RECOVERING');
    });
  },
  'that refuses for good': (test) => {
    test('is paused for an operator, and charged nothing', async (world) => {
      const job = world.job();
      job.on('launchInstance', () => ({ state: 'never' }));
      const { handle } = await world.start(job);
      await handle.result();
      expect(job.settlements).to.deep.equal([{ to: 'PAUSED', charged: 0 }]);
      expect(job.of('settleJob')[0]).to.deep.include({ pauseReason: 'OPERATOR', reason: 'LAUNCH_REFUSED' });
      expect(job.of('launchInstance')).to.have.length(1);
      expect(job.of('releaseCapacity')).to.have.length(1);
    });
  },
});
