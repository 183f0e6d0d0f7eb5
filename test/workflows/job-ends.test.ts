import type { WorkflowHandle } from '@temporalio/client';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { doneReport, untilCancelled } from './fake-job.ts';
import type { FakeJob } from './fake-job.ts';
import { together } from './together.ts';
import { attributesOf } from './world.ts';
import type { World } from './world.ts';

const BEFORE_SETTLEMENT = [
  ...['planTasks', 'requestCapacity', 'outstanding', 'launchInstance', 'awaitInstance', 'recordState'],
  ...['listPendingTasks', 'commitTasks', 'checkCompleteness', 'fenceJob', 'writeManifest'],
];
const RESUME = { kind: 'resume' } as const;
/** Where the job stands when its second execution begins. */
const RESUMED = { state: 'SUBMITTED', execution: 2 } as const;
const AFTER_SETTLEMENT = ['terminateInstances', 'releaseCapacity', 'sweepStaging'];

/**
 * Checks the order: the fence comes before the settlement, the settlement before the end of the instances, and capacity
 * is given back in every case.
 */
function expectClearedAway(job: FakeJob, settledAs: string): void {
  const at = (name: string): number => job.calls.findIndex((call) => call.name === name);
  expect(job.settlements.map(({ to }) => to)).to.deep.equal([settledAs]);
  expect(at('fenceJob')).to.be.lessThan(at('settleJob'));
  expect(at('settleJob')).to.be.lessThan(at('terminateInstances'));
  expect(at('terminateInstances')).to.be.lessThan(at('releaseCapacity'));
  expect(at('releaseCapacity')).to.be.lessThan(at('sweepStaging'));
  expect(job.workers.size).to.equal(0);
}

async function failureOf(
  world: World,
  prepare: (job: FakeJob) => void,
): Promise<{ job: FakeJob; message: string }> {
  const job = world.job();
  prepare(job);
  const { handle } = await world.start(job);
  const error = await handle.result().then(
    () => null,
    (failure: unknown) => failure,
  );
  const { cause } = error as { cause?: Error };
  return { job, message: cause?.message ?? '' };
}

together('the end of a job', {
  'a job that meets a fault of the service': (test) => {
    test('is settled and cleared away whichever step fails, and the workflow fails', async (world) => {
      const broken = BEFORE_SETTLEMENT.filter((name) => name !== 'recordState');
      const runs = broken.map(async (name) => {
        const { job, message } = await failureOf(world, (one) => one.breaks(name));
        expect(message, name).to.equal('The job ended by a fault of the service; it is settled.');
        const late = ['checkCompleteness', 'writeManifest', 'fenceJob'].includes(name);
        expectClearedAway(job, late ? 'SUCCEEDED' : 'FAILED');
        if (job.done.size > 0 && !late)
          expect(job.of('failTasks')[0], name).to.deep.include({ code: 'INTERNAL_ERROR' });
      });
      await Promise.all(runs);
    });

    test('charges what was verified before', async (world) => {
      const { job } = await failureOf(world, (one) => one.breaks('checkCompleteness'));
      expect(job.settlements).to.deep.equal([{ to: 'SUCCEEDED', charged: 6 }]);
    });

    test('gives capacity back although an instance cannot be ended', async (world) => {
      const { job, message } = await failureOf(world, (one) => one.breaks('terminateInstances'));
      expect(message).to.include('it is settled');
      expect(job.of('releaseCapacity')).to.have.length(1);
      expect(job.of('sweepStaging')).to.have.length(1);
    });

    test('says so when the money could not be settled', async (world) => {
      const { job, message } = await failureOf(world, (one) => one.breaks('settleJob'));
      expect(message).to.equal('The job ended by a fault of the service; it is NOT settled.');
      expect(job.of('fenceJob')).to.have.length(1);
    });

    test('succeeds all the same when only its staging could not be swept now', async (world) => {
      const { result } = await world.run({}, (job) => job.breaks('sweepStaging'));
      expect(result).to.deep.include({ state: 'SUCCEEDED' });
    });

    test('stops the tools when what they made cannot be committed', async (world) => {
      let stopped = 0;
      const { job } = await failureOf(world, (one) =>
        one.breaks('commitTasks').on('runShard', async (_input, call) => {
          if (call === 1) return;
          await untilCancelled();
          stopped += 1;
          return { fenced: false, reports: [] };
        }),
      );
      expect(stopped)
        .to.equal(job.of('runShard').length - 1)
        .and.be.greaterThan(0);
    });
  },
  'cancelling a job': (test) => {
    test('settles once and leaves nothing, whatever step it meets before the settlement', async (world) => {
      const runs = [...BEFORE_SETTLEMENT, 'taskCounts'].map(async (name) => {
        const job = world.job();
        const held = job.holds(name);
        const { handle } = await world.start(job);
        await held.called();
        expect(await world.workflows.cancel(job.id, 'a test')).to.equal(true);
        held.release();
        expect(await handle.result(), name).to.deep.include({ state: 'CANCELLED' });
        expectClearedAway(job, 'CANCELLED');
        expect(job.states.at(-1), name).to.equal('CANCELLING');
      });
      await Promise.all(runs);
    });

    test('ends as the settlement found it, when that met a cancel of which no message has come yet', async (world) => {
      const { job, result, handle } = await world.run({}, (one) =>
        one.on('settleJob', () => {
          one.settlements.push({ to: 'CANCELLED', charged: 6 });
          return { to: 'CANCELLED', verified: 4, failed: 0, chargedPence: 6, releasedPence: 0 };
        }),
      );
      expect(job.of('settleJob')[0]).to.include({ to: 'SUCCEEDED' });
      expect(result).to.deep.include({ state: 'CANCELLED', verified: 4, chargedPence: 6 });
      expect(attributesOf(await handle.describe())).to.include({ JobStatus: 'CANCELLED' });
      expectClearedAway(job, 'CANCELLED');
    });

    test('does not hide why a job failed', async (world) => {
      const job = world.job({ plan: { steps: ['prepare'] } });
      job.on('preparationFailure', () => ({ code: 'RECEPTOR_EMPTY', message: 'no atoms' }));
      const held = job.holds('writeManifest');
      const { handle } = await world.start(job);
      await held.called();
      await world.workflows.cancel(job.id, null);
      held.release();
      expect(await handle.result()).to.deep.include({ state: 'FAILED', chargedPence: 0 });
      expect(job.of('settleJob')[0]).to.include({ to: 'FAILED', reason: 'RECEPTOR_EMPTY' });
    });

    test('lets the admission end first', async (world) => {
      const job = world.job();
      const held = job.holds('admitJob');
      const starting = world.start(job);
      await held.called();
      await world.workflows.cancel(job.id, null);
      held.release();
      const { outcome, handle } = await starting;
      expect(outcome).to.have.nested.property('decision.kind', 'admitted');
      expect(await handle.result()).to.deep.include({
        decision: 'admitted',
        state: 'CANCELLED',
        chargedPence: 0,
      });
      expectClearedAway(job, 'CANCELLED');
      expect(job.of('launchInstance')).to.have.length(0);
    });

    test('changes nothing once the job is settled', async (world) => {
      const runs = AFTER_SETTLEMENT.map(async (name) => {
        const job = world.job();
        const held = job.holds(name);
        const { handle } = await world.start(job);
        await held.called();
        await world.workflows.cancel(job.id, null);
        held.release();
        expect(await handle.result(), name).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
        expectClearedAway(job, 'SUCCEEDED');
      });
      await Promise.all(runs);
    });

    test('withdraws a request for capacity that waits', async (world) => {
      const job = world.job();
      job.on('requestCapacity', () => ({ granted: false, reason: 'CAPACITY', vcpus: 0 }));
      const { handle } = await world.start(job);
      await until('it waits', () => job.of('recordState').length >= 2);
      await world.workflows.cancel(job.id, null);
      expect(await handle.result()).to.deep.include({ state: 'CANCELLED' });
      expect(job.of('releaseCapacity')).to.have.length(1);
      expect(job.of('launchInstance')).to.have.length(0);
    });

    test('in the Temporal UI is the same as over the API', async (world) => {
      const job = world.job();
      job.on('runShard', cancelled);
      const { handle } = await world.start(job);
      await running(job, 2);
      await handle.cancel();
      expect(await handle.result()).to.deep.include({ state: 'CANCELLED' });
      expectClearedAway(job, 'CANCELLED');
      expect(job.of('recordState').at(-1)).to.deep.include({ reason: 'cancelled by an operator' });
    });

    test('stops the tools, commits what is complete, then fences', async (world) => {
      const job = world.job();
      job.on('runShard', async (input) => {
        const { ordinals } = input as { ordinals: number[] };
        await untilCancelled();
        const [ordinal = 0] = ordinals;
        return { fenced: false, reports: [ordinal === 0 ? doneReport(0) : { ordinal, end: 'stopped' }] };
      });
      const { handle } = await world.start(job);
      await running(job, 2);
      await world.workflows.cancel(job.id, null);
      expect(await handle.result()).to.deep.include({ state: 'CANCELLED', verified: 1, chargedPence: 3 });
      const at = (name: string): number => job.calls.findIndex((call) => call.name === name);
      expect(at('commitTasks')).to.be.lessThan(at('fenceJob'));
      expect(job.of('runShard')).to.have.length(2);
    });

    test('of one part alone ends the job no worse than a stop of its work', async (world) => {
      const job = world.job();
      job.on('runShard', async (_input, call) => {
        if (call <= 2) return cancelled();
        return undefined;
      });
      const { handle } = await world.start(job);
      await running(job, 2);
      const [part = ''] = await world.parts(job);
      await world.client.workflow.getHandle(part).cancel();
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
      expect(await world.parts(job)).to.have.length(2);
    });
  },
  'pausing a job': (test) => {
    test('lets running tasks finish, settles, gives everything back, and ends the run', async (world) => {
      const job = world.job();
      const held = job.holds('runShard');
      const { handle } = await world.start(job);
      await held.called();
      await running(job, 2);
      await world.workflows.pause(job.id, 'OPERATOR');
      await told(world, job);
      held.release();
      expect(await handle.result()).to.deep.include({ state: null, verified: 2, chargedPence: 4 });
      expect(job.settlements).to.deep.equal([{ to: 'PAUSED', charged: 4 }]);
      expect(job.of('settleJob')[0]).to.deep.include({ pauseReason: 'OPERATOR' });
      expect(job.of('sweepStaging')).to.have.length(1);
      expect(job.of('runShard')).to.have.length(2);
      expect(job.of('releaseCapacity')).to.have.length(1);
      expect(job.workers.size).to.equal(0);
      expect(await world.workflows.endOf(job.id)).to.equal('gone');
      const next = await world.takeUpPaused(job, { kind: 'cancel', reason: null });
      expect(await next.result()).to.deep.include({ state: 'CANCELLED', verified: 2 });
      expect(job.settlements.map(({ to }) => to)).to.deep.equal(['PAUSED', 'CANCELLED']);
    });

    test('shows what was charged and why after the run has ended', async (world) => {
      const { job, handle } = await paused(world);
      expect(await handle.query<string>('details'))
        .to.match(/\*\*PAUSED\*\*, execution 1/)
        .and.include('charged £0.00');
      expect(attributesOf(await handle.describe())).to.include({ JobStatus: 'PAUSED' });
      expect(job.settlements.map(({ to }) => to)).to.deep.equal(['PAUSED']);
    });

    test('ends with a resume, whose run does the next execution once', async (world) => {
      const { job } = await paused(world);
      const next = await world.takeUpPaused(job, RESUME, RESUMED);
      expect(await next.result()).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
      expect(job.settlements.map(({ to }) => to)).to.deep.equal(['PAUSED', 'SUCCEEDED']);
      expect((await next.describe()).status.name).to.equal('COMPLETED');
    });

    test('again, in the run that a resume has started, stops that run as well', async (world) => {
      const { job } = await paused(world);
      const held = job.holds('runShard');
      const next = await world.takeUpPaused(job, RESUME, RESUMED);
      await held.called();
      await world.workflows.pause(job.id, 'OPERATOR');
      await told(world, job);
      held.release();
      expect(await next.result()).to.deep.include({ state: null });
      expect(job.settlements.map(({ to }) => to)).to.deep.equal(['PAUSED', 'PAUSED']);
      expect(job.of('failTasks')).to.deep.equal([]);
      expect(await world.workflows.endOf(job.id)).to.equal('gone');
    });

    test('for longer than allowed ends the job with what is verified', async (world) => {
      const { job } = await paused(world);
      job.done.set(0, 'SUCCEEDED');
      const next = await world.takeUpPaused(job, { kind: 'endPause' });
      expect(await next.result()).to.deep.include({ state: 'PARTIALLY_SUCCEEDED', verified: 1 });
      expect(job.settlements.map(({ to }) => to)).to.deep.equal(['PAUSED', 'PARTIALLY_SUCCEEDED']);
    });

    test('waits for nothing when a run is started for it without a reason', async (world) => {
      const { job } = await paused(world);
      const next = await world.takeUpPaused(job, { kind: 'capacity' });
      expect(await next.result()).to.deep.include({ state: null });
      expect(job.settlements.map(({ to }) => to)).to.deep.equal(['PAUSED']);
    });

    test('hears a cancel that comes while everything is given back', async (world) => {
      const runs = AFTER_SETTLEMENT.map(async (name) => {
        const job = world.job();
        const planning = job.holds('runShard');
        const { handle } = await world.start(job);
        await planning.called();
        await world.workflows.pause(job.id, 'OPERATOR');
        await told(world, job);
        const held = job.holds(name);
        planning.release();
        await held.called();
        await world.workflows.cancel(job.id, null);
        held.release();
        expect(await handle.result(), name).to.deep.include({ state: 'CANCELLED' });
        expect(
          job.settlements.map(({ to }) => to),
          name,
        ).to.deep.equal(['PAUSED', 'CANCELLED']);
      });
      await Promise.all(runs);
    });

    test('that comes when nothing is left to do lets the job succeed', async (world) => {
      const job = world.job();
      const held = job.holds('checkCompleteness');
      const { handle } = await world.start(job);
      await held.called();
      await world.workflows.pause(job.id, 'OPERATOR');
      held.release();
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED' });
    });

    test('and cancelling at once cancels', async (world) => {
      const job = world.job();
      job.on('runShard', cancelled);
      const { handle } = await world.start(job);
      await running(job, 2);
      await Promise.all([world.workflows.pause(job.id, 'OPERATOR'), world.workflows.cancel(job.id, null)]);
      expect(await handle.result()).to.deep.include({ state: 'CANCELLED' });
    });
  },
});

/** A job that was paused before a task ran, whose run has ended. */
async function paused(world: World): Promise<{ job: FakeJob; handle: WorkflowHandle }> {
  const job = world.job();
  const held = job.holds('planTasks');
  const { handle } = await world.start(job);
  await held.called();
  await world.workflows.pause(job.id, 'OPERATOR');
  held.release();
  expect(await handle.result()).to.deep.include({ state: null });
  return { job, handle };
}

async function cancelled(): Promise<unknown> {
  await untilCancelled();
  return { fenced: false, reports: [] };
}

async function running(job: FakeJob, shards: number): Promise<void> {
  await until('shards run', () => job.runningNow >= shards);
}

/** Waits until the signal to stop stands in the history of the job's part. */
async function told(world: World, job: FakeJob): Promise<void> {
  const SIGNALED = 26;
  await until('the part is told', async () => {
    for (const id of await world.parts(job)) {
      const { events } = await world.client.workflow.getHandle(id).fetchHistory();
      if (events?.some(({ eventType }) => Number(eventType) === SIGNALED)) return true;
    }
    return false;
  });
}
