import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { jobWorkflowId } from '../../src/contracts/names.ts';
import { until } from '../support/until.ts';
import type { FakeJob } from './fake-job.ts';
import { theWorld, together } from './together.ts';
import { attributesOf } from './world.ts';
import type { World } from './world.ts';

const MAX_EVENTS = 10_000;
/** Long beside the time that a part takes to start, so that instances share the tasks. */
const SHARD_MS = 60;

together('long histories', {
  'a job whose history grows long': (test) => {
    test('continues as new with all that it needs, and starts nothing over', async (world) => {
      const job = world.job({ plan: { taskCount: 2500, shardSize: 125 } });
      const { handle } = await world.start(job, { maxHistoryEvents: 80 });
      expect(await handle.result()).to.deep.include({
        state: 'SUCCEEDED',
        verified: 2500,
        chargedPence: 2502,
      });
      const runs = await runsOf(world, job);
      expect(runs).to.be.greaterThan(1);
      expect(job.of('admitJob')).to.have.length(1);
      expect(job.of('planTasks')).to.have.length(1);
      expect(job.of('requestCapacity')).to.have.length(1);
      expect(job.of('launchInstance')).to.have.length(1);
      expect(job.of('runShard')).to.have.length(20);
      // A run that continues as new stops its open parts, of two lanes, and the next run goes on with what they left.
      expect(new Set(await world.parts(job)).size).to.be.within(10, 10 + 2 * (runs - 1));
      expect(attributesOf(await handle.describe())).to.deep.include({
        JobStatus: 'SUCCEEDED',
        AccountId: job.admission.accountId,
      });
    });

    test('while it waits for capacity, continues as new and may still be cancelled and be granted', async (world) => {
      const waiting = async (end: (job: FakeJob) => Promise<unknown>): Promise<unknown> => {
        const job = world.job();
        let granted = false;
        job.on('requestCapacity', () =>
          granted ? undefined : { granted: false, reason: 'CAPACITY', vcpus: 0 },
        );
        const { handle } = await world.start(job, { maxHistoryEvents: 60 });
        while ((await runsOf(world, job)) < 2) {
          const asked = job.of('requestCapacity').length;
          await world.workflows.capacity([job.id]);
          while (job.of('requestCapacity').length === asked)
            await new Promise((resolve) => setTimeout(resolve, 10));
        }
        granted = true;
        await end(job);
        return handle.result();
      };
      const [cancelled, granted] = await Promise.all([
        waiting((job) => world.workflows.cancel(job.id, null)),
        waiting((job) => world.workflows.capacity([job.id])),
      ]);
      expect(cancelled).to.deep.include({ state: 'CANCELLED', chargedPence: 0 });
      expect(granted).to.deep.include({ state: 'SUCCEEDED', verified: 4 });
    });

    test('carries a cancel that came while it drained', async (world) => {
      const job = world.job({ plan: { taskCount: 1000, shardSize: 50 } });
      let asked = false;
      job.on('outstanding', async (_request, call) => {
        if (call < 2 || asked) return;
        asked = true;
        await world.workflows.cancel(job.id, null);
      });
      const { handle } = await world.start(job, { maxHistoryEvents: 100 });
      expect(await handle.result()).to.deep.include({ state: 'CANCELLED' });
      expect(job.settlements).to.have.length(1);
    });
  },
});

together('the fleet of a job', {
  'whose parts fit its instances': (test) => {
    test('has work for all of them, to the end', async (world) => {
      const plan = { taskCount: 250, instances: 8, slotsPerInstance: 2 } as const;
      const job = world.job({ plan });
      job.on('runShard', () => sleep(SHARD_MS));
      const { handle } = await world.start(job);
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 250, chargedPence: 252 });
      expect(job.of('launchInstance')).to.have.length(8);
      const tasksOf = new Map<unknown, number>();
      for (const { slot } of job.of('runShard')) tasksOf.set(slot, (tasksOf.get(slot) ?? 0) + 1);
      expect([...tasksOf.values()].reduce((sum, tasks) => sum + tasks)).to.equal(250);
      expect(tasksOf.size).to.equal(8);
      // An equal share is 31 tasks; until now one instance ran all of them.
      expect(Math.max(...tasksOf.values())).to.be.below(2 * 31);
      expect(new Set(await world.parts(job)).size).to.be.within(16, 60);
    });
  },
});

together('an instance that has nothing left to do', {
  'while another works on': (test) => {
    for (const slot of [0, 1])
      test(`ends at once, and its capacity is given back, while slot ${String(slot)} works`, async (world) => {
        const plan = { taskCount: 40, instances: 4, slotsPerInstance: 2, vcpusPerInstance: 2 } as const;
        const job = world.job({ plan });
        const last = Promise.withResolvers<undefined>();
        let isHeld = false;
        job.on('runShard', (shard) => {
          if (isHeld || (shard as { readonly slot: number }).slot !== slot) return sleep(20);
          isHeld = true;
          return last.promise;
        });
        const { handle } = await world.start(job);
        await until('all others have ended', () => job.of('reduceCapacity').length === 3);
        const ended = job.of('terminateInstances').map((one) => one.slot);
        expect(ended).to.have.members([0, 1, 2, 3].filter((one) => one !== slot));
        expect(job.of('reduceCapacity').map(({ vcpus }) => vcpus)).to.have.members([6, 4, 2]);
        expect(job.settlements).to.deep.equal([]);
        last.resolve(undefined);
        expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 40, chargedPence: 42 });
        expect(job.of('launchInstance'), 'the last instance stays to the end').to.have.length(4);
        expect(job.of('reduceCapacity')).to.have.length(3);
      });
  },
});

together('a fleet that limits cut', {
  'of eight instances to the vCPUs of two': (test) => {
    test('launches two, also after it continued as new', async (world) => {
      const plan = { taskCount: 400, shardSize: 20, instances: 8, slotsPerInstance: 2, vcpusPerInstance: 2 };
      const job = world.job({ plan });
      job.on('requestCapacity', () => ({ granted: true, reason: null, vcpus: 5 }));
      const { handle } = await world.start(job, { maxHistoryEvents: 80 });
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 400 });
      expect(await runsOf(world, job)).to.be.greaterThan(1);
      expect(new Set(job.of('launchInstance').map(({ slot }) => slot))).to.deep.equal(new Set([0, 1]));
    });
  },
});

describe('histories', () => {
  // The history of a job grows with its parts, the history of a part with its shards; each test takes the largest case.
  it('stay below 10,000 events in a job of 10,000 tasks', async function () {
    this.timeout(120_000);
    const world = await theWorld();
    const plan = { taskCount: 10_000, shardSize: 10, instances: 1, slotsPerInstance: 16 };
    const { job, result } = await world.run({ plan });
    expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 10_000, chargedPence: 10_002 });
    const parts = await world.parts(job);
    expect(parts.length).to.equal(40);
    const sizes = await Promise.all([jobWorkflowId(job.id), ...parts].map((id) => eventsOf(world, id)));
    expect(Math.max(...sizes)).to.be.lessThan(MAX_EVENTS);
    expect(job.of('commitTasks').length).to.be.lessThan(1000);
  });

  it('stay below 10,000 events in a job of 10,000 tasks whose parts fit 16 instances', async function () {
    this.timeout(120_000);
    const world = await theWorld();
    const plan = { taskCount: 10_000, shardSize: 10, instances: 16, slotsPerInstance: 2 };
    const { job, result } = await world.run({ plan });
    expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 10_000, chargedPence: 10_002 });
    expect(job.of('launchInstance')).to.have.length(16);
    expect(await eventsOf(world, jobWorkflowId(job.id))).to.be.lessThan(MAX_EVENTS);
  });

  it('stay below 2,500 events in a part of 250 tasks, one task a shard', async () => {
    const world = await theWorld();
    const { job, result } = await world.run({ plan: { taskCount: 250, slotsPerInstance: 16 } });
    expect(result).to.deep.include({ state: 'SUCCEEDED', verified: 250 });
    const [part] = await world.parts(job);
    expect(part).to.be.a('string');
    expect(await eventsOf(world, String(part))).to.be.lessThan(2500);
  });
});

async function eventsOf(world: World, workflowId: string): Promise<number> {
  return (await world.client.workflow.getHandle(workflowId).describe()).historyLength;
}

async function runsOf(world: World, job: FakeJob): Promise<number> {
  let runs = 0;
  for await (const _ of world.client.workflow.list({ query: `WorkflowId = "${jobWorkflowId(job.id)}"` }))
    runs += 1;
  return runs;
}
