/** The workflow of a batch: its job is a child, a cancel reaches the job in every phase and after a continue-as-new. */
import { expect } from 'chai';

import { until } from '../support/until.ts';
import { untilCancelled } from './fake-job.ts';
import type { FakeJob } from './fake-job.ts';
import { together } from './together.ts';

/** Holds a job in a phase; answers when the job is there, and what lets it go on. */
const PHASES: Readonly<
  Record<string, (job: FakeJob) => { readonly called: () => Promise<void>; readonly release: () => void }>
> = {
  QUEUED: (job) => {
    job.on('requestCapacity', () => ({ granted: false, reason: 'full', vcpus: 0 }));
    return {
      called: () => until('it queues', () => job.states.includes('QUEUED')),
      release: () => undefined,
    };
  },
  PROVISIONING: (job) => job.holds('launchInstance'),
  RUNNING: (job) => {
    job.on('runShard', async () => {
      await untilCancelled();
      return { fenced: false, reports: [] };
    });
    return { called: () => until('it runs', () => job.of('runShard').length > 0), release: () => undefined };
  },
  FINALIZING: (job) => job.holds('checkCompleteness'),
};

together('the workflow of a batch of docking', {
  'with its job': (test) => {
    test('ends as the job ends, and tells how the job stands', async (world) => {
      const job = world.job();
      const handle = await world.startBatch(job);
      expect(await handle.result()).to.deep.equal({ decision: 'admitted', state: 'SUCCEEDED' });
      const details = await handle.query('details');
      expect(details).to.include('**SUCCEEDED**').and.to.include('4 of 4 docked');
    });

    test('ends without a state when the job is refused', async (world) => {
      const job = world.job();
      job.on('admitJob', () => ({ kind: 'refused', code: 'INSUFFICIENT_CREDITS', message: 'no' }));
      const handle = await world.startBatch(job);
      expect(await handle.result()).to.deep.equal({ decision: 'refused', state: null });
    });
  },
  'that is cancelled': (test) => {
    for (const [phase, hold] of Object.entries(PHASES))
      test(`in ${phase} has its job cancelled, which it waits for`, async (world) => {
        const job = world.job();
        const held = hold(job);
        const handle = await world.startBatch(job);
        await held.called();
        await handle.cancel();
        await until('the job is asked to stop', () => job.of('cancelDockingJob').length > 0);
        held.release();
        expect(await handle.result()).to.deep.equal({ decision: 'admitted', state: 'CANCELLED' });
        expect(job.of('cancelDockingJob')).to.have.length(1);
      });

    test('after it has continued as new has its job cancelled all the same', async (world) => {
      const job = world.job();
      const held = PHASES['RUNNING']?.(job);
      const handle = await world.startBatch(job, { maxHistoryEvents: 9 });
      const { runId: first } = await handle.describe();
      const newest = world.client.workflow.getHandle(handle.workflowId);
      await held?.called();
      await until('a second run', async () => (await newest.describe()).runId !== first);
      await newest.cancel();
      await until('the job is asked to stop', () => job.of('cancelDockingJob').length > 0);
      expect(await newest.result()).to.deep.equal({ decision: 'admitted', state: 'CANCELLED' });
    });
  },
  'with a sample': (test) => {
    test('runs the jobs of the sample one after the other once the batch is done', async (world) => {
      const [job, same, other] = [world.job(), world.job(), world.job()];
      const late = new Date(0).toISOString();
      const sample = { ...other.admission, admitBy: late };
      Object.assign(other, { admission: sample });
      const handle = await world.startBatch(job, { samples: [same, other] });
      expect(await handle.result()).to.deep.equal({ decision: 'admitted', state: 'SUCCEEDED' });
      for (const one of [same, other]) expect(one.settlements).to.have.length(1);
      const [admitted] = other.of('admitJob');
      expect(Date.parse(admitted.admitBy), 'the admission has a time limit of its own').to.be.above(
        Date.now(),
      );
    });

    test('of a batch that was cancelled runs nothing', async (world) => {
      const [job, same] = [world.job(), world.job()];
      const held = PHASES['RUNNING']?.(job);
      const handle = await world.startBatch(job, { samples: [same] });
      await held?.called();
      await handle.cancel();
      expect(await handle.result()).to.deep.equal({ decision: 'admitted', state: 'CANCELLED' });
      expect(same.calls).to.have.length(0);
    });
  },
});
