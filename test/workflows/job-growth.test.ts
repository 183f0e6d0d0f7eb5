import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { jobWorkflowId } from '../../src/contracts/names.ts';
import { inLongRuns } from '../support/long.ts';
import { until } from '../support/until.ts';
import type { FakeJob } from './fake-job.ts';
import { together } from './together.ts';
import type { World } from './world.ts';

const FLEET = { vcpusPerInstance: 2 } as const;
const SHARD_MS = 60;

/** Grants so many vCPUs of what is asked for, as the activity answers; the number may change while the job runs. */
function grants(job: FakeJob, vcpus: number): { vcpus: number } {
  const granted = { vcpus };
  job.on('requestCapacity', (request) => ({
    granted: true,
    reason: null,
    vcpus: Math.min((request as { readonly vcpus: number }).vcpus, granted.vcpus),
  }));
  return granted;
}

function askedOf(job: FakeJob): unknown[] {
  return job.of('requestCapacity').map(({ vcpus }) => vcpus);
}

function slotsOf(job: FakeJob): Set<unknown> {
  return new Set(job.of('launchInstance').map(({ slot }) => slot));
}

together('a job whose capacity is granted by the instance', {
  'when there is room for one': (test) => {
    test('begins, and launches each other one as it is granted', async (world) => {
      const job = world.job({ plan: { ...FLEET, taskCount: 200, instances: 4, slotsPerInstance: 2 } });
      const granted = grants(job, 2);
      job.on('runShard', () => sleep(SHARD_MS));
      const { handle } = await world.start(job);
      await until('the first instance works', () => job.of('runShard').length > 4);
      expect([askedOf(job), slotsOf(job)]).to.deep.equal([[2, 8], new Set([0])]);
      granted.vcpus = 6;
      await world.workflows.capacity([job.id]);
      await until('two more work', () => new Set(job.of('runShard').map(({ slot }) => slot)).size === 3);
      expect(slotsOf(job).size).to.equal(3);
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 200 });
      expect(slotsOf(job).size).to.equal(3);
      // At the end nothing more is asked for, and what has nothing left to do goes to others, one after the other.
      const kept = job.of('reduceCapacity').map(({ vcpus }) => Number(vcpus));
      expect(kept[0]).to.equal(6);
      expect(kept).to.deep.equal([...kept].sort((a, b) => b - a));
    });

    test('asks for no more than its parts can use, and gives back what came too late', async (world) => {
      const job = world.job({ plan: { ...FLEET, taskCount: 6, instances: 64, slotsPerInstance: 1 } });
      grants(job, 2);
      const last = Promise.withResolvers<undefined>();
      job.on('runShard', () => last.promise);
      const { handle } = await world.start(job);
      await until('it grows', () => askedOf(job).length === 2);
      expect(askedOf(job)).to.deep.equal([2, 6]);
      last.resolve(undefined);
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 6 });
      expect(job.of('reduceCapacity').map(({ vcpus }) => vcpus)).to.deep.equal([2]);
      expect(slotsOf(job)).to.deep.equal(new Set([0]));
    });
  },
  'over runs of its workflow': (test) => {
    inLongRuns(test)(
      'grows on after it continued as new, and launches nothing that is not granted',
      async (world) => {
        const plan = { ...FLEET, taskCount: 600, shardSize: 10, instances: 4, slotsPerInstance: 2 };
        const job = world.job({ plan });
        const granted = grants(job, 2);
        job.on('runShard', () => sleep(SHARD_MS));
        const { handle } = await world.start(job, { maxHistoryEvents: 80 });
        await until('another run', async () => (await runsOf(world, job)) > 1);
        expect(slotsOf(job)).to.deep.equal(new Set([0]));
        granted.vcpus = 8;
        await world.workflows.capacity([job.id]);
        expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 600 });
        expect(slotsOf(job).size).to.be.within(2, 4);
      },
    );
  },
});

together('a run that is to continue as new', {
  'while a part has work for long': (test) => {
    test('waits for the shards that run alone, and no task runs twice', async (world) => {
      const job = world.job({ plan: { taskCount: 120, slotsPerInstance: 1 } });
      let pauseMs = 200;
      job.on('runShard', () => sleep(pauseMs));
      const { handle } = await world.start(job, { maxHistoryEvents: 60 });
      await until('work', () => job.of('runShard').length > 3);
      while ((await runsOf(world, job)) === 1) {
        await world.workflows.capacity([job.id]);
        await sleep(50);
      }
      expect(job.of('runShard').length).to.be.below(60);
      pauseMs = 0;
      expect(await handle.result()).to.deep.include({ state: 'SUCCEEDED', verified: 120 });
      const ordinals = job.of('runShard').flatMap((shard) => shard.ordinals as readonly number[]);
      expect(ordinals.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 120 }, (_, index) => index));
      expect(job.of('launchInstance')).to.have.length(1);
    });
  },
});

async function runsOf(world: World, job: FakeJob): Promise<number> {
  let runs = 0;
  for await (const _ of world.client.workflow.list({ query: `WorkflowId = "${jobWorkflowId(job.id)}"` }))
    runs += 1;
  return runs;
}
